"""The check of the language: which texts it reads, and which phrases it finds."""
import unittest

from chatflow_infra.check import prose


def found(text, suffix=".md"):
    return [phrase for _, _, phrase, _ in prose.judged(text, suffix, prose.rules())[1]]


class ProseTest(unittest.TestCase):

    def test_a_phrase_that_is_ruled_out_is_found_with_its_line_and_advice(self):
        words, hits = prose.judged("The server is fine.\nIt was told of the loss.\n", ".md", prose.rules())
        self.assertEqual(words, 10)
        self.assertEqual([(2, True, "was told")], [hit[:3] for hit in hits])

    def test_plain_sentences_are_not_hits(self):
        self.assertEqual(found("A client that loses its connection catches up on everything it missed. Who can read the log?"), [])

    def test_code_in_documents_is_not_judged(self):
        self.assertEqual(found("Use `anew()` here.\n```\nstart anew\n```\n"), [])

    def test_comments_javadoc_and_sentences_in_strings_are_judged_in_java(self):
        text = '/** Starts anew. */\nclass Told { // in the air\n  String anew = "anew"; String message = "it starts anew here";\n}\n'
        self.assertEqual(found(text, ".java"), ["anew", "in the air", "anew"])

    def test_an_address_in_a_string_is_no_comment(self):
        self.assertEqual(found('String page = "http://anew/"; // fine\n', ".java"), [])

    def test_comments_and_docstrings_are_judged_in_python(self):
        self.assertEqual(found('"""Started anew."""\nanew = 1  # by chance\n', ".py"), ["anew", "by chance"])

    def test_the_text_of_a_page_is_judged_but_not_its_scripts(self):
        self.assertEqual(found("<p>It was told</p>\n<script>\nlet anew = 'was told of it';\n</script>\n", ".html"), ["was told"])

    def test_the_lab_notebook_samples_and_tests_are_left_as_they_are(self):
        self.assertIsNone(prose.group("docs/lab/performance.md"))
        self.assertIsNone(prose.group("server/src/test/java/dev/chatflow/server/PageIT.java"))
        self.assertEqual(prose.group("docs/README.md"), "documents")

    def test_every_rule_has_a_level_a_pattern_and_advice(self):
        for _, pattern, advice in prose.rules():
            self.assertTrue(pattern.pattern and advice)


if __name__ == "__main__":
    unittest.main()
