import Autowait

func heuristicText(_ heuristic: KeepUpHeuristic) -> String { "" }
