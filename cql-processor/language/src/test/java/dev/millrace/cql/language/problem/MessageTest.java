package dev.millrace.cql.language.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Properties of every message of the catalog. */
@Timeout(60)
class MessageTest
{
    @ParameterizedTest
    @EnumSource(Message.class)
    void shouldHaveCodeTextSeverityAndDocumentation(final Message message)
    {
        assertThat(message.code()).matches("CQL-[1-79]\\d{3}");
        assertThat(Message.byCode(message.code())).isSameAs(message);
        assertThat(message.text("a", "b", "c", "d", "e")).isNotBlank().doesNotContain("{0}", "{1}", "{2}", "{3}");
        assertThat(message.hint("a", "b", "c", "d", "e")).doesNotContain("{0}", "{1}", "{2}");
        assertThat(message.severity()).isNotNull();
        assertThat(message.documentation()).isEqualTo(
            "docs/cql-errors.md#" + message.code().toLowerCase(Locale.ROOT));
        assertThat(ErrorPage.markdown()).contains("### " + message.code() + "\n");
    }

    @Test
    void shouldKeepBracesThatAreNoPlaces()
    {
        assertThat(Message.QUANTIFIER_BOUNDS.hint()).startsWith("write {n}, {n,}");
    }
}
