package dev.millrace.cql.compiler.janino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Source files of generated classes, as a debugger needs them. */
@Timeout(60)
class JaninoSourceCompilerTest
{
    private static final String TEXT =
        "package demo; public class Number { " +
        "public static int twice(int value) { int sum = value + value; return sum; } }";

    @TempDir
    private Path directory;

    private static byte[] compile(final Path sources)
    {
        final Map<String, byte[]> classes = new JaninoSourceCompiler(sources).compile("demo.Number", TEXT,
            JaninoSourceCompilerTest.class.getClassLoader());
        return classes.get("demo.Number");
    }

    private static boolean contains(final byte[] classFile, final String constant)
    {
        return new String(classFile, StandardCharsets.ISO_8859_1).contains(constant);
    }

    @Test
    void shouldWriteTheSourceFileWhereADebuggerLooksForIt() throws Exception
    {
        final byte[] classFile = compile(directory);

        assertThat(Files.readString(directory.resolve("demo/Number.java"))).isEqualTo(TEXT);
        assertThat(contains(classFile, "\u000bNumber.java")).as("SourceFile").isTrue();
        assertThat(contains(classFile, "LocalVariableTable")).as("names of local variables").isTrue();
    }

    @Test
    void shouldWriteNothingWithoutADirectory()
    {
        assertThat(contains(compile(null), "LocalVariableTable")).isFalse();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldNameTheFileThatCannotBeWritten() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> compile(file)).isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("cannot write a generated source file, file=" + file.resolve("demo/Number.java"));
    }
}
