// From the JSON parsing test suite, https://github.com/nst/JSONTestSuite, under the licence below.
// A line is the name of a case and its text, in which %XX is a byte that is not plain ASCII.
// Two are generated where they are tested, for their size: n_structure_100000_opening_arrays and
// n_structure_open_array_object.
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

/// The texts that a JSON reader must refuse.
let refusedTexts = #"""
  n_array_1_true_without_comma [1 true]
  n_array_a_invalid_utf8 [a%E5]
  n_array_colon_instead_of_comma ["": 1]
  n_array_comma_after_close [""],
  n_array_comma_and_number [,1]
  n_array_double_comma [1,,2]
  n_array_double_extra_comma ["x",,]
  n_array_extra_close ["x"]]
  n_array_extra_comma ["",]
  n_array_incomplete ["x"
  n_array_incomplete_invalid_value [x
  n_array_inner_array_no_comma [3[4]]
  n_array_invalid_utf8 [%FF]
  n_array_items_separated_by_semicolon [1:2]
  n_array_just_comma [,]
  n_array_just_minus [-]
  n_array_missing_value [   , ""]
  n_array_newlines_unclosed ["a",%0A4%0A,1,
  n_array_number_and_comma [1,]
  n_array_number_and_several_commas [1,,]
  n_array_spaces_vertical_tab_formfeed ["%0Ba"\f]
  n_array_star_inside [*]
  n_array_unclosed [""
  n_array_unclosed_trailing_comma [1,
  n_array_unclosed_with_new_lines [1,%0A1%0A,1
  n_array_unclosed_with_object_inside [{}
  n_incomplete_false [fals]
  n_incomplete_null [nul]
  n_incomplete_true [tru]
  n_multidigit_number_then_00 123%00
  n_number_++ [++1234]
  n_number_+1 [+1]
  n_number_+Inf [+Inf]
  n_number_-01 [-01]
  n_number_-1.0. [-1.0.]
  n_number_-2. [-2.]
  n_number_-NaN [-NaN]
  n_number_.-1 [.-1]
  n_number_.2e-3 [.2e-3]
  n_number_0.1.2 [0.1.2]
  n_number_0.3e+ [0.3e+]
  n_number_0.3e [0.3e]
  n_number_0.e1 [0.e1]
  n_number_0_capital_E+ [0E+]
  n_number_0_capital_E [0E]
  n_number_0e+ [0e+]
  n_number_0e [0e]
  n_number_1.0e+ [1.0e+]
  n_number_1.0e- [1.0e-]
  n_number_1.0e [1.0e]
  n_number_1_000 [1 000.0]
  n_number_1eE2 [1eE2]
  n_number_2.e+3 [2.e+3]
  n_number_2.e-3 [2.e-3]
  n_number_2.e3 [2.e3]
  n_number_9.e+ [9.e+]
  n_number_Inf [Inf]
  n_number_NaN [NaN]
  n_number_U+FF11_fullwidth_digit_one [%EF%BC%91]
  n_number_expression [1+2]
  n_number_hex_1_digit [0x1]
  n_number_hex_2_digits [0x42]
  n_number_infinity [Infinity]
  n_number_invalid+- [0e+-1]
  n_number_invalid-negative-real [-123.123foo]
  n_number_invalid-utf-8-in-bigger-int [123%E5]
  n_number_invalid-utf-8-in-exponent [1e1%E5]
  n_number_invalid-utf-8-in-int [0%E5]%0A
  n_number_minus_infinity [-Infinity]
  n_number_minus_sign_with_trailing_garbage [-foo]
  n_number_minus_space_1 [- 1]
  n_number_neg_int_starting_with_zero [-012]
  n_number_neg_real_without_int_part [-.123]
  n_number_neg_with_garbage_at_end [-1x]
  n_number_real_garbage_after_e [1ea]
  n_number_real_with_invalid_utf8_after_e [1e%E5]
  n_number_real_without_fractional_part [1.]
  n_number_starting_with_dot [.123]
  n_number_with_alpha [1.2a-3]
  n_number_with_alpha_char [1.8011670033376514H-308]
  n_number_with_leading_zero [012]
  n_object_bad_value ["x", truth]
  n_object_bracket_key {[: "x"}%0A
  n_object_comma_instead_of_colon {"x", null}
  n_object_double_colon {"x"::"b"}
  n_object_emoji {%F0%9F%87%A8%F0%9F%87%AD}
  n_object_garbage_at_end {"a":"a" 123}
  n_object_key_with_single_quotes {key: 'value'}
  n_object_lone_continuation_byte_in_key_and_trailing_comma {"%B9":"0",}
  n_object_missing_colon {"a" b}
  n_object_missing_key {:"b"}
  n_object_missing_semicolon {"a" "b"}
  n_object_missing_value {"a":
  n_object_no-colon {"a"
  n_object_non_string_key {1:1}
  n_object_non_string_key_but_huge_number_instead {9999E9999:1}
  n_object_repeated_null_null {null:null,null:null}
  n_object_several_trailing_commas {"id":0,,,,,}
  n_object_single_quote {'a':0}
  n_object_trailing_comma {"id":0,}
  n_object_trailing_comment {"a":"b"}/**/
  n_object_trailing_comment_open {"a":"b"}/**//
  n_object_trailing_comment_slash_open {"a":"b"}//
  n_object_trailing_comment_slash_open_incomplete {"a":"b"}/
  n_object_two_commas_in_a_row {"a":"b",,"c":"d"}
  n_object_unquoted_key {a: "b"}
  n_object_unterminated-value {"a":"a
  n_object_with_single_string { "foo" : "bar", "a" }
  n_object_with_trailing_garbage {"a":"b"}#
  n_single_space %20
  n_string_1_surrogate_then_escape ["\uD800\"]
  n_string_1_surrogate_then_escape_u ["\uD800\u"]
  n_string_1_surrogate_then_escape_u1 ["\uD800\u1"]
  n_string_1_surrogate_then_escape_u1x ["\uD800\u1x"]
  n_string_accentuated_char_no_quotes [%C3%A9]
  n_string_backslash_00 ["\%00"]
  n_string_escape_x ["\x00"]
  n_string_escaped_backslash_bad ["\\\"]
  n_string_escaped_ctrl_char_tab ["\%09"]
  n_string_escaped_emoji ["\%F0%9F%8C%80"]
  n_string_incomplete_escape ["\"]
  n_string_incomplete_escaped_character ["\u00A"]
  n_string_incomplete_surrogate ["\uD834\uDd"]
  n_string_incomplete_surrogate_escape_invalid ["\uD800\uD800\x"]
  n_string_invalid-utf-8-in-escape ["\u%E5"]
  n_string_invalid_backslash_esc ["\a"]
  n_string_invalid_unicode_escape ["\uqqqq"]
  n_string_invalid_utf8_after_escape ["\%E5"]
  n_string_leading_uescaped_thinspace [\u0020"asd"]
  n_string_no_quotes_with_bad_escape [\n]
  n_string_single_doublequote "
  n_string_single_quote ['single quote']
  n_string_single_string_no_double_quotes abc
  n_string_start_escape_unclosed ["\
  n_string_unescaped_ctrl_char ["a%00a"]
  n_string_unescaped_newline ["new%0Aline"]
  n_string_unescaped_tab ["%09"]
  n_string_unicode_CapitalU "\UA66D"
  n_string_with_trailing_garbage ""x
  n_structure_U+2060_word_joined [%E2%81%A0]
  n_structure_UTF8_BOM_no_data %EF%BB%BF
  n_structure_angle_bracket_. <.>
  n_structure_angle_bracket_null [<null>]
  n_structure_array_trailing_garbage [1]x
  n_structure_array_with_extra_array_close [1]]
  n_structure_array_with_unclosed_string ["asd]
  n_structure_ascii-unicode-identifier a%C3%A5
  n_structure_capitalized_True [True]
  n_structure_close_unopened_array 1]
  n_structure_comma_instead_of_closing_brace {"x": true,
  n_structure_double_array [][]
  n_structure_end_array ]
  n_structure_incomplete_UTF8_BOM %EF%BB{}
  n_structure_lone-invalid-utf-8 %E5
  n_structure_lone-open-bracket [
  n_structure_no_data
  n_structure_null-byte-outside-string [%00]
  n_structure_number_with_trailing_garbage 2@
  n_structure_object_followed_by_closing_object {}}
  n_structure_object_unclosed_no_value {"":
  n_structure_object_with_comment {"a":/*comment*/"b"}
  n_structure_object_with_trailing_garbage {"a": true} "x"
  n_structure_open_array_apostrophe ['
  n_structure_open_array_comma [,
  n_structure_open_array_open_object [{
  n_structure_open_array_open_string ["a
  n_structure_open_array_string ["a"
  n_structure_open_object {
  n_structure_open_object_close_array {]
  n_structure_open_object_comma {,
  n_structure_open_object_open_array {[
  n_structure_open_object_open_string {"a
  n_structure_open_object_string_with_apostrophes {'a'
  n_structure_open_open ["\{["\{["\{["\{
  n_structure_single_eacute %E9
  n_structure_single_star *
  n_structure_trailing_# {"a":"b"}#{}
  n_structure_uescaped_LF_before_string [\u000A""]
  n_structure_unclosed_array [1
  n_structure_unclosed_array_partial_null [ false, nul
  n_structure_unclosed_array_unfinished_false [ true, fals
  n_structure_unclosed_array_unfinished_true [ false, tru
  n_structure_unclosed_object {"asd":"asd"
  n_structure_unicode-identifier %C3%A5
  n_structure_whitespace_U+2060_word_joiner [%E2%81%A0]
  n_structure_whitespace_formfeed [%0C]
  """#
