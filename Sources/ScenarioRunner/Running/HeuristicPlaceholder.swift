import Autowait

func heuristicText(_ heuristic: KeepUpHeuristic) -> String { "" }
func heuristic(named: String) -> KeepUpHeuristic? { nil }
func readScenario(_ value: JSONValue, file: String) throws(DocumentError) -> Scenario {
  throw DocumentError([])
}
