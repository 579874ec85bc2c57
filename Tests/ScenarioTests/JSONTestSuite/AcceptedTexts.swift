// From the JSON parsing test suite, https://github.com/nst/JSONTestSuite, under the licence below.
// A line is the name of a case and its text, in which %XX is a byte that is not plain ASCII.
//
// MIT License
//
// Copyright (c) 2016 Nicolas Seriot
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software
// and associated documentation files (the "Software"), to deal in the Software without
// restriction, including without limitation the rights to use, copy, modify, merge, publish,
// distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
// Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or
// substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
// BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
// NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
// DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

/// The texts that a JSON reader must accept.
let acceptedTexts = #"""
  y_array_arraysWithSpaces [[]   ]
  y_array_empty-string [""]
  y_array_empty []
  y_array_ending_with_newline ["a"]
  y_array_false [false]
  y_array_heterogeneous [null, 1, "1", {}]
  y_array_null [null]
  y_array_with_1_and_newline [1%0A]
  y_array_with_leading_space  [1]
  y_array_with_several_null [1,null,null,null,2]
  y_array_with_trailing_space [2]%20
  y_number [123e65]
  y_number_0e+1 [0e+1]
  y_number_0e1 [0e1]
  y_number_after_space [ 4]
  y_number_double_close_to_zero [-0.000000000000000000000000000000000000000000000000000000000000\#
  000000000000000001]%0A
  y_number_int_with_exp [20e1]
  y_number_minus_zero [-0]
  y_number_negative_int [-123]
  y_number_negative_one [-1]
  y_number_negative_zero [-0]
  y_number_real_capital_e [1E22]
  y_number_real_capital_e_neg_exp [1E-2]
  y_number_real_capital_e_pos_exp [1E+2]
  y_number_real_exponent [123e45]
  y_number_real_fraction_exponent [123.456e78]
  y_number_real_neg_exp [1e-2]
  y_number_real_pos_exponent [1e+2]
  y_number_simple_int [123]
  y_number_simple_real [123.456789]
  y_object {"asd":"sdf", "dfg":"fgh"}
  y_object_basic {"asd":"sdf"}
  y_object_duplicated_key {"a":"b","a":"c"}
  y_object_duplicated_key_and_value {"a":"b","a":"b"}
  y_object_empty {}
  y_object_empty_key {"":0}
  y_object_escaped_null_in_key {"foo\u0000bar": 42}
  y_object_extreme_numbers { "min": -1.0e+28, "max": 1.0e+28 }
  y_object_long_strings {"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxx\#
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
  y_object_simple {"a":[]}
  y_object_string_unicode {"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430 \u0417\u0435\u043\#
  c\u043b\u0435\u043a\u043e\u043f\u0430" }
  y_object_with_newlines {%0A"a": "b"%0A}
  y_string_1_2_3_bytes_UTF-8_sequences ["\u0060\u012a\u12AB"]
  y_string_accepted_surrogate_pair ["\uD801\udc37"]
  y_string_accepted_surrogate_pairs ["\ud83d\ude39\ud83d\udc8d"]
  y_string_allowed_escapes ["\"\\\/\b\f\n\r\t"]
  y_string_backslash_and_u_escaped_zero ["\\u0000"]
  y_string_backslash_doublequotes ["\""]
  y_string_comments ["a/*b*/c/*d//e"]
  y_string_double_escape_a ["\\a"]
  y_string_double_escape_n ["\\n"]
  y_string_escaped_control_character ["\u0012"]
  y_string_escaped_noncharacter ["\uFFFF"]
  y_string_in_array ["asd"]
  y_string_in_array_with_leading_space [ "asd"]
  y_string_last_surrogates_1_and_2 ["\uDBFF\uDFFF"]
  y_string_nbsp_uescaped ["new\u00A0line"]
  y_string_nonCharacterInUTF-8_U+10FFFF ["%F4%8F%BF%BF"]
  y_string_nonCharacterInUTF-8_U+FFFF ["%EF%BF%BF"]
  y_string_null_escape ["\u0000"]
  y_string_one-byte-utf-8 ["\u002c"]
  y_string_pi ["%CF%80"]
  y_string_reservedCharacterInUTF-8_U+1BFFF ["%F0%9B%BF%BF"]
  y_string_simple_ascii ["asd "]
  y_string_space " "
  y_string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF ["\uD834\uDd1e"]
  y_string_three-byte-utf-8 ["\u0821"]
  y_string_two-byte-utf-8 ["\u0123"]
  y_string_u+2028_line_sep ["%E2%80%A8"]
  y_string_u+2029_par_sep ["%E2%80%A9"]
  y_string_uEscape ["\u0061\u30af\u30EA\u30b9"]
  y_string_uescaped_newline ["new\u000Aline"]
  y_string_unescaped_char_delete ["%7F"]
  y_string_unicode ["\uA66D"]
  y_string_unicodeEscapedBackslash ["\u005C"]
  y_string_unicode_2 ["%E2%8D%82%E3%88%B4%E2%8D%82"]
  y_string_unicode_U+10FFFE_nonchar ["\uDBFF\uDFFE"]
  y_string_unicode_U+1FFFE_nonchar ["\uD83F\uDFFE"]
  y_string_unicode_U+200B_ZERO_WIDTH_SPACE ["\u200B"]
  y_string_unicode_U+2064_invisible_plus ["\u2064"]
  y_string_unicode_U+FDD0_nonchar ["\uFDD0"]
  y_string_unicode_U+FFFE_nonchar ["\uFFFE"]
  y_string_unicode_escaped_double_quote ["\u0022"]
  y_string_utf8 ["%E2%82%AC%F0%9D%84%9E"]
  y_string_with_del_character ["a%7Fa"]
  y_structure_lonely_false false
  y_structure_lonely_int 42
  y_structure_lonely_negative_real -0.1
  y_structure_lonely_null null
  y_structure_lonely_string "asd"
  y_structure_lonely_true true
  y_structure_string_empty ""
  y_structure_trailing_newline ["a"]%0A
  y_structure_true_in_array [true]
  y_structure_whitespace_array  []%20
  """#
