package dev.millrace.cql.language.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tokens and their spans. */
@Timeout(60)
class LexerTest
{
    private static String tokens(final String text)
    {
        return new Lexer(text).tokens().stream().map(token -> token.kind() + ":" + token.text() + "@" +
            token.position().getLineNum() + "." + token.position().getColumnNum() + "-" +
            token.position().getEndLineNum() +
            "." + token.position().getEndColumnNum()).collect(Collectors.joining(" "));
    }

    @Test
    void shouldGiveEveryTokenItsSpan()
    {
        assertThat(tokens("ab <= 'x''y'\n  `Q q`.c$1")).isEqualTo("WORD:ab@1.1-1.2 SIGN:<=@1.4-1.5 " +
            "STRING:x'y@1.7-1.12 QUOTED:Q q@2.3-2.7 SIGN:.@2.8-2.8 WORD:c$1@2.9-2.11 END:@2.12-2.12");
    }

    @Test
    void shouldReadNumbersOfAllForms()
    {
        assertThat(tokens("1 1.5 +.5 1e3 1.5E-3f 7L 2.")).isEqualTo("NUMBER:1@1.1-1.1 NUMBER:1.5@1.3-1.5 " +
            "SIGN:+@1.7-1.7 NUMBER:.5@1.8-1.9 NUMBER:1e3@1.11-1.13 NUMBER:1.5E-3f@1.15-1.21 NUMBER:7L@1.23-1.24 " +
            "NUMBER:2.@1.26-1.27 END:@1.28-1.28");
    }

    @Test
    void shouldCountLinesWhateverEndsThem()
    {
        assertThat(tokens("a\r\nb\rc\nd")).isEqualTo(
            "WORD:a@1.1-1.1 WORD:b@2.1-2.1 WORD:c@3.1-3.1 WORD:d@4.1-4.1 END:@4.2-4.2");
    }

    @Test
    void shouldKeepStringsOverSeveralLines()
    {
        assertThat(tokens("\"a\nb\" c")).isEqualTo("STRING:a\nb@1.1-2.2 WORD:c@2.4-2.4 END:@2.5-2.5");
    }
}
