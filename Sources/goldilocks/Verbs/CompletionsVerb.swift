extension Verb {
  static let completions = Verb(
    name: "completions",
    overview: "Print the completions of a shell.",
    discussion: [
      "For bash, source what is printed in .bashrc. For zsh, write it to _goldilocks in a folder "
        + "of $fpath; for fish, to ~/.config/fish/completions/goldilocks.fish."
    ],
    positionals: [Positional(name: "shell", help: "Shell: bash, zsh or fish.")],
    examples: ["completions bash > goldilocks.bash"]
  ) { (invocation) throws(Failure) in
    let completions = Completions(verbs: Goldilocks.verbs)
    switch invocation.positionals[0] {
    case "bash": try invocation.console.write(completions.bash)
    case "zsh": try invocation.console.write(completions.zsh)
    case "fish": try invocation.console.write(completions.fish)
    default:
      throw invocation.refusal(
        "There are no completions for \(inQuotes(invocation.positionals[0])), but for 'bash', "
          + "'zsh' and 'fish'.")
    }
    return .success
  }
}

struct Completions {
  let verbs: [Verb]

  /// The first words, each once, with what the first verb of it does.
  private var words: [(word: String, about: String)] {
    var words: [(word: String, about: String)] = []
    for verb in verbs where !words.contains(where: { $0.word == verb.name }) {
      words.append((verb.name, verb.overview))
    }
    return words
  }

  private func subjects(of word: String) -> [String] {
    verbs.filter { $0.name == word }.compactMap { $0.subject }
  }

  /// The options of the verbs that begin with a word, each once.
  private func options(of word: String) -> [Option] {
    var options: [Option] = []
    for option in verbs.filter({ $0.name == word }).flatMap({ $0.options }) + Option.everywhere
    where !options.contains(where: { $0.name == option.name }) {
      options.append(option)
    }
    return options + [.version, .help]
  }

  var bash: String {
    var text = """
      # Completions of goldilocks for bash.
      _goldilocks() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local options="" subjects=""
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(list(words.map { $0.word } + ["help"]))" -- "$current"))
          return
        fi
        case "${COMP_WORDS[1]}" in

      """
    for (word, _) in words {
      let options = options(of: word)
      text += "    \(word))\n      case \"$previous\" in\n"
      for option in options where !option.values.isEmpty {
        text +=
          "        \(option.spelling)) COMPREPLY=($(compgen -W \"\(list(option.values))\" -- "
          + "\"$current\")); return ;;\n"
      }
      text += "      esac\n      options=\"\(list(options.map { $0.spelling }))\"\n"
      text += "      subjects=\"\(list(subjects(of: word)))\"\n      ;;\n"
    }
    return text + """
          help) subjects="\(list(words.map { $0.word }))" ;;
        esac
        if [[ "$current" == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$current"))
        elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$subjects" ]; then
          COMPREPLY=($(compgen -W "$subjects" -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -o filenames -F _goldilocks goldilocks

      """
  }

  private func list(_ words: [String]) -> String { words.joined(separator: " ") }

  var zsh: String {
    var text = """
      #compdef goldilocks
      # Completions of goldilocks for zsh.
      _goldilocks() {
        if (( CURRENT == 2 )); then
          local -a verbs=(

      """
    for (word, about) in words { text += "      \(quoted(word + ":" + about))\n" }
    text += """
            'help:Show the help of a verb.'
          )
          _describe 'subcommand' verbs
          return
        fi
        case "$words[2]" in
        help)
          (( CURRENT == 3 )) && compadd \(list(words.map { $0.word }))
          ;;

      """
    for (word, _) in words {
      let subjects = subjects(of: word)
      text += "    \(word))\n"
      if !subjects.isEmpty {
        text += "      (( CURRENT == 3 )) && { compadd \(list(subjects)); return }\n"
      }
      text += "      _arguments \\\n"
      for option in options(of: word) { text += "        \(zshRow(option)) \\\n" }
      text += "        '*:file:_files'\n      ;;\n"
    }
    return text + """
        esac
      }
      _goldilocks "$@"

      """
  }

  private func zshRow(_ option: Option) -> String {
    let help = String(option.help.map { "[]:".contains($0) ? " " : $0 })
    var row = "*" + option.spelling + (option.valueName == nil ? "" : "=") + "[" + help + "]"
    if let name = option.valueName {
      row += ":\(name):" + (option.values.isEmpty ? "_files" : "(\(list(option.values)))")
    }
    return quoted(row)
  }

  var fish: String {
    var text = "# Completions of goldilocks for fish.\n"
    for (word, about) in words {
      text += "complete -c goldilocks -n __fish_use_subcommand -f -a \(word) -d \(quoted(about))\n"
    }
    text += """
      complete -c goldilocks -n __fish_use_subcommand -f -a help -d 'Show the help of a verb.'
      complete -c goldilocks -n '__fish_seen_subcommand_from help' \
        -f -a \(quoted(list(words.map { $0.word })))

      """
    for (word, _) in words {
      let seen = "-n \(quoted("__fish_seen_subcommand_from " + word))"
      let subjects = subjects(of: word)
      if !subjects.isEmpty {
        text += "complete -c goldilocks \(seen) -f -a \(quoted(list(subjects)))\n"
      }
      for option in options(of: word) {
        text += "complete -c goldilocks \(seen) -l \(option.name)"
        if let short = option.short { text += " -s \(short)" }
        if option.valueName != nil {
          text += option.values.isEmpty ? " -r" : " -x -a \(quoted(list(option.values)))"
        }
        text += " -d \(quoted(option.help))\n"
      }
    }
    return text
  }

  private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’") + "'"
  }
}
