package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The JVM arguments of the load generator's script, recorded by a simulated Java. */
@Timeout(300)
class GeneratorScriptIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldLetTheGeneratorWakeUpWithoutTheUsualSlackOfTimers() throws Exception
    {
        final Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\ncat /proc/$$/timerslack_ns\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
        final Result result = Product.run(Map.of("JAVA_HOME", directory.toString()),
            Product.HOME.loadGenerator(), "some.prop");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().strip()).isEqualTo("1000");
    }

    @Test
    void shouldPlayTheFileBesideItWhenOnlyKeysAreGiven() throws Exception
    {
        final Result result = Product.run(Map.of(), Product.HOME.loadGenerator(), "-Dtest.unknown=1");
        assertThat(result.output()).startsWith("GEN-0102")
            .contains(Product.HOME.loadGenerator().resolveSibling("csvgen.prop").toString());
    }
}
