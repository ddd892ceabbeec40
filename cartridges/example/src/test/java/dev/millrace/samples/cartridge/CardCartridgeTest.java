package dev.millrace.samples.cartridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.cql.testkit.command.CqlTool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CardCartridgeTest
{
    @TempDir
    private Path directory;

    private String run(final String rule) throws IOException
    {
        final Path rules = Files.writeString(directory.resolve("q.cql"), rule);
        final Path rows = Files.writeString(directory.resolve("s.csv"), "4242424242424242\n4242424242424243\n");
        final StringWriter text = new StringWriter();
        final PrintWriter writer = new PrintWriter(text, true);
        CqlTool.run(new ByteArrayInputStream(new byte[0]), writer, writer, "run", rules.toString(), "--stream",
            "S=" + rows + ":number char");
        return text.toString();
    }

    @Test
    void shouldBeCalledByItsLink() throws IOException
    {
        assertThat(run("select masked@card(number) as number from S where isCardNumber@CARD(number) = true"))
            .contains("************4242");
    }

    @Test
    void shouldRejectOtherNumbers() throws IOException
    {
        assertThat(run("select masked@card(number) as number from S")).contains("not the number of a card");
    }

    @Test
    void shouldRefuseOtherTypes() throws IOException
    {
        assertThat(run("select masked@card(1) as number from S"))
            .contains("CQL-3008", "masked@card(String)");
    }

    @Test
    void shouldHideDigitsByTheParameter()
    {
        assertThat(new CardFunctions(2).masked("4242424242424242")).isEqualTo("**************42");
        assertThat(new CardCartridge().functions(Map.of("visible-digits", "2"))).hasSize(2);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new CardCartridge().functions(Map.of("visible-digits", "x")))
            .withMessageContaining("visible-digits=x");
    }
}
