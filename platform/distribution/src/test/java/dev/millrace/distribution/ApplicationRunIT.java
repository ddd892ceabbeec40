package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace app run}, as docs/testing-applications.md shows it. */
@Timeout(300)
class ApplicationRunIT
{
    private static final Path MILLRACE = Product.HOME.directory().resolve("bin/millrace");

    @TempDir
    private Path directory;

    private Result millrace(final String arguments) throws Exception
    {
        return Product.runIn(directory, Map.of(), MILLRACE, arguments.split(" "));
    }

    @BeforeEach
    void create() throws Exception
    {
        assertThat(millrace("app new prices --template no-java").exitCode()).isZero();
    }

    @Test
    void shouldPrintWhatThePageShows() throws Exception
    {
        final String page =
            Files.readString(Product.HOME.directory().resolve("documents/docs/testing-applications.md"));
        assertThat(page).contains("$ millrace app run prices --input trades=prices/trades.csv\n");
        final int begin = page.indexOf("```json\n") + "```json\n".length();

        final Result result = millrace("app run prices --input trades=prices/trades.csv");

        assertThat(result.output()).contains(page.substring(begin, page.indexOf("```", begin)))
            .contains("8 rows read, 1 rows written");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void shouldExplainWrongLinesAndNames() throws Exception
    {
        Files.writeString(directory.resolve("t.csv"), "symbol,price\nORCL,one\n");

        final Result lines = millrace("app run prices --input trades=t.csv");
        assertThat(lines.output()).contains("t.csv:2: FIL-0121: wrong-type, column=price");
        assertThat(lines.exitCode()).isEqualTo(1);
        final Result names = millrace("app run prices --input trade=t.csv");
        assertThat(names.output()).contains("CMD-0271", "id=trade");
        assertThat(names.exitCode()).isEqualTo(64);
        assertThat(millrace("app run prices --input trades=u.csv").output()).contains("CMD-0273", "u.csv");
    }

    @Test
    void shouldEndAtCtrlCWithCompleteOutputs() throws Exception
    {
        final List<String> command = Product.interruptible(MILLRACE);
        command.addAll(List.of("app", "run", "prices", "--input", "trades=-", "--output", "TradeStream", "--output",
            "FallStream=falls.json"));
        final Process run = new ProcessBuilder(command).directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (Writer to = run.outputWriter(StandardCharsets.UTF_8);
            BufferedReader from =
                new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (int price = 5; price > 0; price--)
            {
                to.write("{\"symbol\":\"A\",\"price\":" + price + "}\n");
            }
            to.flush();
            for (int price = 5; price > 0; price--)
            {
                assertThat(from.readLine()).isEqualTo("{\"symbol\":\"A\",\"price\":" + price + ".0}");
            }
            new ProcessBuilder("kill", "-INT", String.valueOf(run.pid())).start().waitFor();
            assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        finally
        {
            run.destroyForcibly();
        }
        assertThat(run.exitValue()).isEqualTo(130);
        assertThat(directory.resolve("falls.json")).hasContent("{\"symbol\":\"A\",\"high\":5.0,\"low\":1.0}\n");
    }
}
