internal import LivePhotoEngine

/// What the tool leaves to who called it.
package enum ExitCode: Int32, Sendable {
  /// The work is done.
  case done = 0
  /// The work failed, or what was checked has faults.
  case failed = 1
  /// The command line was not understood, or asks for what this version does not have.
  case usage = 2
}

/// Reads a command line and does what it asks for.
struct Tool {
  let console: Console

  /// Runs one command line; the words do not include the tool's own name.
  func run(_ words: [String]) -> ExitCode {
    do {
      let code = try perform(try Invocation(words))
      return console.finish() ? code : .failed
    } catch let error as UsageError {
      console.error(error.description)
      if error == .noCommand { console.note(HelpPage.text(for: nil)) } else { console.note(hint(for: words)) }
      return .usage
    } catch let error as LivePhotoError {
      console.error(error.description)
      if case .notYet = error { return .usage }
      return .failed
    } catch {
      console.error("\(error)")
      return .failed
    }
  }

  private func perform(_ invocation: Invocation) throws -> ExitCode {
    switch invocation {
    case .completions(let shell): console.print(Completions.script(for: shell))
    case .man: console.print(ManualPage.text)
    case .help(let name): console.print(HelpPage.text(for: name))
    case .version: console.print("livephoto \(toolVersion)\n")
    case .make(let arguments): return try make(arguments)
    case .pair(let arguments): return try pair(arguments)
    case .remux(let arguments): return try remux(arguments)
    case .verify(let arguments): return try verify(arguments)
    case .inspect(let arguments): return try inspect(arguments)
    case .encode(let arguments): return try encode(arguments)
    case .decode(let arguments): return try decode(arguments)
    case .demo(let arguments): return try demo(arguments)
    }
    return .done
  }

  /// Where help is to be found.
  private func hint(for words: [String]) -> String {
    let command = words.first.flatMap(CommandName.init(rawValue:))
    return "See livephoto \(command.map { $0.rawValue + " " } ?? "")--help.\n"
  }
}
