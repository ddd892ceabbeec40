package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JvmOptionsTest
{
    private static final String FILE = """
        -Xmx512m
        # Collector.
        -XX:+UseSerialGC
        # -XX:+UseG1GC
        -XX:+ExitOnOutOfMemoryError
        """;

    private static String options(final String more)
    {
        return new JvmOptions(more).in(FILE);
    }

    @Test
    void shouldKeepTheFileWhenNothingIsAsked()
    {
        assertThat(options("")).isEqualTo(FILE);
    }

    @Test
    void shouldTakeTheCollectorsPlaceWhenAnotherIsAsked()
    {
        assertThat(options("-XX:+UseZGC -Xmx1g").lines().filter(line -> !line.startsWith("#")).toList())
            .containsExactly("-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "", "-XX:+UseZGC -Xmx1g");
    }

    @Test
    void shouldKeepTheCollectorWhenOtherOptionsAreAsked()
    {
        assertThat(options("-Xmx64m -XX:+UseCompressedOops").lines().filter(line -> !line.startsWith("#")).toList())
            .containsExactly("-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "",
                "-Xmx64m -XX:+UseCompressedOops");
    }
}
