import LinkConditioner
import Testing
import VirtualTime

@Suite struct ConditionerProfileTests {
  static func profiles(_ text: String) throws -> [ImportedProfile] {
    switch try Imported(Array(text.utf8)) {
    case .trace: []
    case .profiles(let profiles): profiles
    }
  }

  static let threeG = LinkConditions(
    downlink: .init(bandwidth: .limited(.kilobitsPerSecond(780)), delay: .milliseconds(100)),
    uplink: .init(bandwidth: .limited(.kilobitsPerSecond(330)), delay: .milliseconds(100)))

  @Test func `an old-style list with two profiles is read`() throws {
    let text = """
      // what `defaults read` prints
      {
          Profiles =     {
              "3G & more" =         {
                  DNSDelayValue = 0;
                  DownlinkBandwidth = 780; DownlinkBandwidthUnit = 0; DownlinkDelay = 100;
                  DownlinkPacketLossRatio = 0; ExcludeLoopback = 1; ProtocolFamily = 0;
                  RunOnInterface = All; UplinkBandwidth = 330; UplinkBandwidthUnit = 0;
                  UplinkDelay = 100; UplinkPacketLossRatio = "0";
              };
              Odd = { /* partly */ DownlinkBandwidth = "2.5"; DownlinkBandwidthUnit = 1;
                  DNSDelayValue = 3000; DownlinkPacketLossRatio = 0.5; };
          };
      }
      """
    let profiles = try Self.profiles(text)
    #expect(profiles.map(\.name) == ["3G & more", "Odd"])
    #expect(profiles.first?.conditions == Self.threeG)
    let odd = LinkConditions(
      downlink: .init(
        bandwidth: .limited(.kilobitsPerSecond(2_500)), loss: LossRatio(1, over: 200)),
      dnsDelay: .seconds(3))
    #expect(profiles.last?.conditions == odd)
  }

  @Test func `an XML list is read, with its prolog, comments and entities`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/x.dtd">
      <plist version="1.0"><dict>
        <key>Profiles</key>
        <dict> <!-- one -->
          <key>3G &amp; more</key>
          <dict>
            <key>DownlinkBandwidth</key><integer>780</integer>
            <key>DownlinkDelay</key><integer> 100 </integer>
            <key>ExcludeLoopback</key><true/>
            <key>UplinkBandwidth</key><real>330.0</real>
            <key>UplinkDelay</key><string>100</string>
          </dict>
        </dict>
        <key>List</key><array><dict/></array>
      </dict></plist>
      """
    let profiles = try Self.profiles(text)
    #expect(profiles.map(\.name) == ["3G & more"])
    #expect(profiles.first?.conditions == Self.threeG)
  }

  @Test func `a profile that is written is read again`() throws {
    for name in ["3G", "Edge", "Very Bad Network", "High Latency DNS", "100% Loss", "Wi-Fi"] {
      let conditions = try #require(Profile.named(name)?.base)
      let export = LinkExport(conditions, name: "<\(name)>", as: .networkLinkConditioner)
      let profile = try #require(try Self.profiles(export.files[0].text).first)
      #expect(profile.name == "<\(name)>" && profile.conditions == conditions)
      // As in the lists of the tool's own profiles: nothing is simulated of a device's own traffic.
      #expect(export.files[0].text.contains("<key>ExcludeLoopback</key><integer>1</integer>"))
    }
  }
}
