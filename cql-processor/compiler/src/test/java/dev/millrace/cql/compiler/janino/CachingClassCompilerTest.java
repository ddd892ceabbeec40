package dev.millrace.cql.compiler.janino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.SignalPlans;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Source texts that are compiled, and those that are read from a store. */
@Timeout(60)
class CachingClassCompilerTest
{
    private static final String TWICE = "public class Number { public static int of(int x) { return 2 * x; } }";
    private static final String THRICE = "public class Number { public static int of(int x) { return 3 * x; } }";
    private static final String INNER =
        "public class Number { public static int of(int x) { return new Part().of(x); }" +
        " static class Part { int of(int x) { return 5 * x; } } }";

    private final Memory memory = new Memory();
    private int compiled;

    /** A store without files that records its calls. */
    private static final class Memory implements ClassCache
    {
        private final Map<String, Map<String, byte[]>> files = new HashMap<>();
        private Throwable refused;

        @Override
        public Map<String, byte[]> find(final String className, final String javaText)
        {
            return files.get(className + javaText);
        }

        @Override
        public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
        {
            files.put(className + javaText, classFiles);
        }

        @Override
        public void refused(final String className, final String javaText, final Throwable reason)
        {
            refused = reason;
        }
    }

    /** Simulates a process that starts with the content of the store. */
    private ClassCompiler maker()
    {
        return new CachingClassCompiler((className, javaText, parent) ->
        {
            compiled++;
            return new JaninoSourceCompiler(null).compile(className, javaText, parent);
        }, memory);
    }

    private Object of(final String text, final int x) throws Exception
    {
        final Class<?> type = maker().make("Number", text, CachingClassCompilerTest.class.getClassLoader());
        return type.getMethod("of", int.class).invoke(null, x);
    }

    @Test
    void shouldNotCompileWhatTheStoreHas() throws Exception
    {
        assertThat(of(TWICE, 21)).isEqualTo(42);
        assertThat(of(TWICE, 4)).isEqualTo(8);
        assertThat(compiled).isEqualTo(1);
    }

    @Test
    void shouldFindTheClassesInsideAClassWhenTheyComeFromTheStore() throws Exception
    {
        assertThat(of(INNER, 1)).isEqualTo(5);
        assertThat(of(INNER, 2)).isEqualTo(10);
        assertThat(compiled).isEqualTo(1);
    }

    @Test
    void shouldCompileAnotherTextOfTheSameName() throws Exception
    {
        assertThat(of(TWICE, 10)).isEqualTo(20);
        assertThat(of(THRICE, 10)).isEqualTo(30);
        assertThat(compiled).isEqualTo(2);
    }

    @Test
    void shouldMakeAClassOfItsOwnEachTime()
    {
        final ClassLoader parent = CachingClassCompilerTest.class.getClassLoader();
        final Class<?> first = maker().make("Number", TWICE, parent);
        final Class<?> second = maker().make("Number", TWICE, parent);
        assertThat(second).isNotSameAs(first);
        assertThat(second.getClassLoader()).isNotSameAs(first.getClassLoader());
        assertThat(second.getClassLoader().getParent()).isSameAs(parent);
    }

    @Test
    void shouldCompileAndReplaceWhatJavaRefuses() throws Exception
    {
        memory.files.put("Number" + TWICE, Map.of("Number", new byte[] {1, 2, 3}));
        assertThat(of(TWICE, 3)).isEqualTo(6);
        assertThat(memory.refused).isInstanceOf(ClassFormatError.class);
        assertThat(of(TWICE, 5)).isEqualTo(10);
        assertThat(compiled).isEqualTo(1);
    }

    @Test
    void shouldCompileWhenTheStoreHasOtherClassesThanThatOfTheText() throws Exception
    {
        memory.files.put("Number" + TWICE, Map.of("Other", new byte[] {1, 2, 3}));
        assertThat(of(TWICE, 3)).isEqualTo(6);
        assertThat(memory.refused).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void shouldKeepNothingOfATextThatDoesNotCompile()
    {
        assertThatThrownBy(() -> of("public class Number { int x() { return nonesuch; } }", 1))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("class=Number");
        assertThat(memory.files).isEmpty();
    }

    @Test
    void shouldHaveTheSameTextAndNameForAPlanWhateverWasCompiledBeforeAndMeasured()
    {
        final CompiledPipeline first = PipelineCompiler.withScalarRows(3).compile(SignalPlans.pairPlan());
        new PipelineCompiler().compile(SignalPlans.sumPlan(100));
        final CompiledPipeline second = PipelineCompiler.withScalarRows(17).compile(SignalPlans.pairPlan());
        assertThat(second.javaText()).isEqualTo(first.javaText());
        assertThat(second.type().getName()).isEqualTo(first.type().getName());
    }
}
