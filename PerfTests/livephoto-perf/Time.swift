import Foundation

/// Does two things, in the other order every second time: what comes second finds caches and memory warm.
func inTurn(_ round: Int, _ first: () throws -> Void, _ second: () throws -> Void) rethrows {
  if round % 2 == 0 { try first() } else { try second() }
  if round % 2 == 0 { try second() } else { try first() }
}

/// How long something took, in seconds.
struct Time: Codable {
  var wall: Double
  /// Of all threads: of this process, or of the process that was measured.
  var processor: Double

  static let longest = Time(wall: .infinity, processor: .infinity)

  static func of(_ work: () throws -> Void) rethrows -> Time {
    let before = (wall: now(CLOCK_MONOTONIC), processor: now(CLOCK_PROCESS_CPUTIME_ID))
    try work()
    return Time(
      wall: now(CLOCK_MONOTONIC) - before.wall, processor: now(CLOCK_PROCESS_CPUTIME_ID) - before.processor)
  }

  /// Keeps the shorter of each.
  mutating func shorten(to other: Time) {
    wall = min(wall, other.wall)
    processor = min(processor, other.processor)
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    // SAFETY: the function writes one time.
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
