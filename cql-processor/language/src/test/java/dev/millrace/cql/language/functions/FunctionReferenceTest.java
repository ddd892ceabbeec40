package dev.millrace.cql.language.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The function reference. The testkit's FunctionExamplesTest runs its examples. */
@Timeout(60)
class FunctionReferenceTest
{
    private static final Path PAGE = Path.of("../../docs/cql-functions.md");

    /** Calls whose value changes with each call or is unspecified, or whose argument has no literal. */
    private static final Set<String> WITHOUT_EXAMPLE = Set.of(
        "systimestamp()", "getSeedAtRowColumn(int, int)", "to_char(bigdecimal)", "abs(bigdecimal)");

    @Test
    void shouldHaveAPageThatIsUpToDate() throws IOException
    {
        assertThat(Files.readString(PAGE))
            .as("write FunctionReference.markdown() to docs/cql-functions.md; the build of cql-processor/functions "
                + "writes it to target/reference/functions.md")
            .isEqualTo(FunctionReference.markdown(FunctionCatalog.builtIn()));
    }

    @Test
    void shouldHaveAnExampleForEachFunction()
    {
        final List<String> without = FunctionCatalog.builtIn().descriptions().stream()
            .filter(each -> each.example().isEmpty() || each.expected().isEmpty())
            .map(each -> each.name() + '(' + each.arguments() + ')').filter(call -> !WITHOUT_EXAMPLE.contains(call))
            .toList();
        assertThat(without).isEmpty();
    }

    @Test
    void shouldTellWhatFunctionsDoWithTheNullsThatTheyTake()
    {
        final List<String> silent = FunctionCatalog.builtIn().descriptions().stream()
            .filter(FunctionDescription::takesNulls).filter(each -> !each.text().matches("(?i).*(\\bnull\\b|unless).*"))
            .map(each -> each.name() + '(' + each.arguments() + ')').toList();
        assertThat(silent).isEmpty();
    }
}
