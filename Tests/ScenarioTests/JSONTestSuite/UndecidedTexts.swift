// From the JSON parsing test suite, https://github.com/nst/JSONTestSuite, under the licence below.
// A line is the name of a case and its text, in which %XX is a byte that is not plain ASCII.
// One is generated where it is tested, for its size: i_structure_500_nested_arrays.
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

/// The texts that a JSON reader may accept or refuse.
let undecidedTexts = #"""
  i_number_double_huge_neg_exp [123.456e-789]
  i_number_huge_exp [0.4e00669999999999999999999999999999999999999999999999999999999999999999999\#
  999999999999999999999999999999999999999999999999969999999006]
  i_number_neg_int_huge_exp [-1e+9999]
  i_number_pos_double_huge_exp [1.5e+9999]
  i_number_real_neg_overflow [-123123e100000]
  i_number_real_pos_overflow [123123e100000]
  i_number_real_underflow [123e-10000000]
  i_number_too_big_neg_int [-123123123123123123123123123123]
  i_number_too_big_pos_int [100000000000000000000]
  i_number_very_big_negative_int [-237462374673276894279832749832423479823246327846]
  i_object_key_lone_2nd_surrogate {"\uDFAA":0}
  i_string_1st_surrogate_but_2nd_missing ["\uDADA"]
  i_string_1st_valid_surrogate_2nd_invalid ["\uD888\u1234"]
  i_string_UTF-16LE_with_BOM %FF%FE[%00"%00%E9%00"%00]%00
  i_string_UTF-8_invalid_sequence ["%E6%97%A5%D1%88%FA"]
  i_string_UTF8_surrogate_U+D800 ["%ED%A0%80"]
  i_string_incomplete_surrogate_and_escape_valid ["\uD800\n"]
  i_string_incomplete_surrogate_pair ["\uDd1ea"]
  i_string_incomplete_surrogates_escape_valid ["\uD800\uD800\n"]
  i_string_invalid_lonely_surrogate ["\ud800"]
  i_string_invalid_surrogate ["\ud800abc"]
  i_string_invalid_utf-8 ["%FF"]
  i_string_inverted_surrogates_U+1D11E ["\uDd1e\uD834"]
  i_string_iso_latin_1 ["%E9"]
  i_string_lone_second_surrogate ["\uDFAA"]
  i_string_lone_utf8_continuation_byte ["%81"]
  i_string_not_in_unicode_range ["%F4%BF%BF%BF"]
  i_string_overlong_sequence_2_bytes ["%C0%AF"]
  i_string_overlong_sequence_6_bytes ["%FC%83%BF%BF%BF%BF"]
  i_string_overlong_sequence_6_bytes_null ["%FC%80%80%80%80%80"]
  i_string_truncated-utf-8 ["%E0%FF"]
  i_string_utf16BE_no_BOM %00[%00"%00%E9%00"%00]
  i_string_utf16LE_no_BOM [%00"%00%E9%00"%00]%00
  i_structure_UTF-8_BOM_empty_object %EF%BB%BF{}
  """#
