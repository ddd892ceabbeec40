package dev.millrace.cql.compiler.janino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compiles source text to a class: text nested deeper than a stack, and invalid text. */
@Timeout(60)
class JaninoClassCompilerTest
{
    private static final int DEPTH = 3_000;
    private static final long SMALL_STACK_BYTES = 256 << 10;

    @Test
    void shouldCompileWhatIsNestedDeeperThanTheStackOfTheCaller() throws Exception
    {
        final String text = "public class Deep { public static int value(int x) { return " + "(".repeat(DEPTH) + "x" +
            " + 1)".repeat(DEPTH) + "; } }";
        final FutureTask<Class<?>> task = new FutureTask<>(
            () -> new JaninoClassCompiler().make("Deep", text, JaninoClassCompilerTest.class.getClassLoader()));
        final Thread caller = new Thread(null, task, "caller", SMALL_STACK_BYTES);
        caller.start();
        assertThat(task.get().getMethod("value", int.class).invoke(null, 7)).isEqualTo(DEPTH + 7);
    }

    @Test
    void shouldNameTheClassWhoseTextIsWrong()
    {
        assertThatThrownBy(() -> new JaninoClassCompiler().make("Wrong",
            "public class Wrong { int value() { return nonesuch; } }", JaninoClassCompilerTest.class.getClassLoader()))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("class=Wrong")
            .hasMessageContaining("nonesuch");
    }

    @Test
    void shouldNameTheClassThatTheTextDoesNotHold()
    {
        assertThatThrownBy(() -> new JaninoClassCompiler().make("Other", "public class Wrong { }",
            JaninoClassCompilerTest.class.getClassLoader())).isInstanceOf(IllegalStateException.class);
    }
}
