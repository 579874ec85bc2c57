// Extracts of other simulators' logs, so that the comparison always has something to compare.
//
// The traces, sizes and the Sabre log come with Sabre, the rest with Pensieve's simulator; their
// licence:
//
// BSD 2-Clause License
//
// Copyright (c) 2018, Kevin Spiteri
// All rights reserved.
//
// Redistribution and use in source and binary forms, with or without
// modification, are permitted provided that the following conditions are met:
//
// * Redistributions of source code must retain the above copyright notice, this
//   list of conditions and the following disclaimer.
//
// * Redistributions in binary form must reproduce the above copyright notice,
//   this list of conditions and the following disclaimer in the documentation
//   and/or other materials provided with the distribution.
//
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
// AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
// IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
// DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
// FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
// DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
// SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
// CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
// OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
// OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

extension PeerRun {
  static let sabreExample = PeerRun(
    name: "example-network.json, quality 9",
    trace: Array(
      """
      [
      {"duration_ms": 30000, "bandwidth_kbps": 5000, "latency_ms": 75},
      {"duration_ms": 30000, "bandwidth_kbps": 3000, "latency_ms": 150},
      {"duration_ms": 30000, "bandwidth_kbps": 1500, "latency_ms": 200},
      {"duration_ms": 30000, "bandwidth_kbps": 3000, "latency_ms": 150}
      ]
      """.utf8),
    bytes: [
      2582185, 2075080, 2420605, 2659545, 1809862, 1716701, 2308988, 3222435, 2379983, 2139821,
      2150522, 1518787, 2047792, 2222688, 2287491, 2697257, 2141227, 1996334, 2286621, 2010251,
      2248706, 2329646, 2315679, 2289622,
    ],
    times: [
      4206.496, 7601.624, 11549.592, 15879.864000000001, 18850.643200000002, 21672.364800000003,
      25441.745600000002, 31121.06933333334, 37617.69066666668, 43473.88000000001,
      49358.60533333335, 53558.70400000001, 59169.48266666668, 70493.30133333335,
      82893.25333333336, 93739.31200000002, 99599.25066666669, 105072.80800000002,
      111320.46400000002, 116831.13333333336, 121786.60960000003, 125589.04320000003,
      129369.12960000003, 133107.52480000004,
    ],
    rebuffering: [
      0.0, 395.12800000000016, 1343.096, 2673.368, 2673.368, 2673.368, 3235.2495999999996,
      5914.5733333333355, 9411.19466666667, 12267.384000000004, 15152.109333333337,
      16352.208000000004, 18962.98666666667, 27286.805333333345, 36686.75733333334,
      44532.816000000006, 47392.754666666675, 49866.312000000005, 53113.96800000001,
      55624.63733333334, 57580.113600000004, 58382.5472, 59162.6336, 59901.0288,
    ])

  static let sabre3G = PeerRun(
    name: "3G-report.2010-09-14_2303CEST.json, quality 3",
    trace: Array(
      """
      [
      {"duration_ms": 1020, "bandwidth_kbps": 1051, "latency_ms": 100},
      {"duration_ms": 2791, "bandwidth_kbps": 46, "latency_ms": 100},
      {"duration_ms": 1012, "bandwidth_kbps": 3021, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 1814, "latency_ms": 100},
      {"duration_ms": 1004, "bandwidth_kbps": 1912, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 1982, "latency_ms": 100},
      {"duration_ms": 1012, "bandwidth_kbps": 2033, "latency_ms": 100},
      {"duration_ms": 1001, "bandwidth_kbps": 1699, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 2064, "latency_ms": 100},
      {"duration_ms": 1012, "bandwidth_kbps": 1637, "latency_ms": 100},
      {"duration_ms": 1013, "bandwidth_kbps": 1836, "latency_ms": 100},
      {"duration_ms": 1011, "bandwidth_kbps": 1682, "latency_ms": 100},
      {"duration_ms": 1020, "bandwidth_kbps": 2085, "latency_ms": 100},
      {"duration_ms": 1001, "bandwidth_kbps": 2339, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 928, "latency_ms": 100},
      {"duration_ms": 1013, "bandwidth_kbps": 1544, "latency_ms": 100},
      {"duration_ms": 1004, "bandwidth_kbps": 1476, "latency_ms": 100},
      {"duration_ms": 1003, "bandwidth_kbps": 1429, "latency_ms": 100},
      {"duration_ms": 1004, "bandwidth_kbps": 1166, "latency_ms": 100},
      {"duration_ms": 1008, "bandwidth_kbps": 1220, "latency_ms": 100},
      {"duration_ms": 1001, "bandwidth_kbps": 1683, "latency_ms": 100},
      {"duration_ms": 1071, "bandwidth_kbps": 872, "latency_ms": 100},
      {"duration_ms": 1013, "bandwidth_kbps": 356, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 967, "latency_ms": 100},
      {"duration_ms": 1005, "bandwidth_kbps": 1459, "latency_ms": 100},
      {"duration_ms": 1008, "bandwidth_kbps": 1155, "latency_ms": 100},
      {"duration_ms": 1011, "bandwidth_kbps": 1353, "latency_ms": 100},
      {"duration_ms": 1008, "bandwidth_kbps": 1122, "latency_ms": 100},
      {"duration_ms": 1004, "bandwidth_kbps": 1776, "latency_ms": 100},
      {"duration_ms": 1001, "bandwidth_kbps": 2278, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 1956, "latency_ms": 100},
      {"duration_ms": 1005, "bandwidth_kbps": 1616, "latency_ms": 100},
      {"duration_ms": 1008, "bandwidth_kbps": 1737, "latency_ms": 100},
      {"duration_ms": 1011, "bandwidth_kbps": 1011, "latency_ms": 100},
      {"duration_ms": 1001, "bandwidth_kbps": 1344, "latency_ms": 100},
      {"duration_ms": 1119, "bandwidth_kbps": 1167, "latency_ms": 100},
      {"duration_ms": 1009, "bandwidth_kbps": 1637, "latency_ms": 100},
      {"duration_ms": 1004, "bandwidth_kbps": 1362, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 993, "latency_ms": 100},
      {"duration_ms": 1012, "bandwidth_kbps": 1232, "latency_ms": 100},
      {"duration_ms": 1020, "bandwidth_kbps": 1538, "latency_ms": 100},
      {"duration_ms": 1013, "bandwidth_kbps": 1642, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 1406, "latency_ms": 100},
      {"duration_ms": 1012, "bandwidth_kbps": 1611, "latency_ms": 100},
      {"duration_ms": 1028, "bandwidth_kbps": 1516, "latency_ms": 100},
      {"duration_ms": 1005, "bandwidth_kbps": 1655, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 619, "latency_ms": 100},
      {"duration_ms": 1020, "bandwidth_kbps": 622, "latency_ms": 100},
      {"duration_ms": 1012, "bandwidth_kbps": 772, "latency_ms": 100},
      {"duration_ms": 1013, "bandwidth_kbps": 1188, "latency_ms": 100},
      {"duration_ms": 1007, "bandwidth_kbps": 1304, "latency_ms": 100},
      {"duration_ms": 1001, "bandwidth_kbps": 1196, "latency_ms": 100}
      ]
      """.utf8),
    bytes: [
      290213, 224296, 240963, 339603, 196743, 223329, 289112, 352951, 222985, 225493, 283866,
      266243, 225756, 271071, 260003, 207197, 254477, 258040, 224239, 300250, 255390, 225978,
      242729, 265353,
    ],
    times: [
      4216.957629923866, 4969.4244762954795, 6116.621338912134, 7609.174571140263,
      8486.679291687162, 9585.902884049441, 10836.218507751939, 12575.66704639974,
      13716.980200469632, 14697.647816398045, 15781.505642235965, 17643.96871579658,
      19560.254346933263, 22781.549202915696, 26630.315912442013, 28651.099824510027,
      31379.89585195118, 34559.80514102301, 37732.6624289783, 41363.53026944506,
      43622.81171426486, 46446.53544974099, 51187.67600715544, 53066.02706311444,
    ],
    rebuffering: [
      0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
      0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ])

  static let pensieve = PeerRun(
    name: "norway_bus_13, 1200 kbit/s",
    trace: Array(
      """
      0.0 1.10043533698
      2.5600001812 0.766015720524
      4.30000019073 0.826531177829
      5.92000007629 1.07287549148
      7.25999999046 1.06275282714
      9.23000001907 0.986931623932
      10.2599999905 1.17757588805
      11.5500001907 1.00663430962
      13.0199999809 1.13190357925
      14.6900000572 0.979048101266
      16.0 1.23827168576
      17.3000001907 1.01583443709
      18.9800000191 0.983487115022
      20.2599999905 1.19512310287
      21.7200000286 1.12142731278
      23.3400001526 0.813805774278
      25.370000124 0.767190082645
      27.0299999714 0.846453436095
      28.8900001049 0.809208568207
      30.2200000286 0.851987055016
      32.1400001049 0.87958384062
      33.1400001049 1.02703786192
      34.2200000286 1.19510797175
      35.3000001907 1.47799390863
      36.4600000381 1.51764083176
      37.5800001621 1.38393768257
      38.9300000668 1.12980830671
      39.75 1.20317582418
      41.2799999714 1.13923475823
      42.6800000668 1.20300076394
      43.9100000858 1.14151236749
      44.9600000381 1.27174842767
      46.370000124 1.10870766894
      47.8100001812 1.02250887574
      49.5700001717 1.01821553281
      50.8500001431 1.1562962963
      52.0199999809 1.26802226345
      53.4200000763 1.10341358025
      54.9300000668 0.990605504587
      56.5900001526 0.943703324808
      57.9600000381 0.96564190774
      59.6300001144 1.04669625872
      60.9800000191 1.12827586207
      62.620000124 0.925797927461
      64.2699999809 0.894675257732
      66.5099999905 0.643414225941
      68.9000000954 0.665693456302
      71.0199999809 0.68478493558
      72.9200000763 0.724846196557
      75.0800001621 0.702586190246
      77.1700000763 0.744976488244
      78.7799999714 0.876165333333
      80.3200001717 0.958362116992
      82.0399999619 0.846019559902
      83.6800000668 0.842452365522
      85.7699999809 0.805512974052
      87.9700000286 0.675990444338
      """.utf8),
    bytes: [
      668286, 611087, 571051, 617681, 652874, 520315, 561791, 709534, 584846, 560821, 607410,
      594078, 624282, 687371, 526950, 587876,
    ],
    times: [
      6461.489100230503, 5006.753920230427, 4484.619023233904, 4933.326962814731,
      6452.958059451214, 5255.4153749933375, 3788.9535665611065, 4837.931084090254,
      4227.065355297468, 4529.192689578006, 4531.4261159642765, 5198.716632591164,
      5396.570339565676, 8581.370608116416, 5946.687561368109, 5741.413145794972,
    ],
    rebuffering: [
      6.461489100230503, 1.006753920230427, 0.48461902323390404, 0.9333269628147309,
      2.4529580594512135, 1.2554153749933374, 0.0, 0.626884650651361, 0.22706535529746816,
      0.5291926895780061, 0.5314261159642765, 1.198716632591164, 1.3965703395656757,
      4.5813706081164165, 1.9466875613681087, 1.7414131457949715,
    ])
}
