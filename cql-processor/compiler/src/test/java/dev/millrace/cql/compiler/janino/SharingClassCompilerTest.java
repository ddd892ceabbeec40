package dev.millrace.cql.compiler.janino;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Classes of equal source texts. */
@Timeout(60)
class SharingClassCompilerTest
{
    private static final ClassLoader PARENT = SharingClassCompilerTest.class.getClassLoader();
    private static final String TEXT = "public class Number { public int of(int x) { return 2 * x; } }";
    private static final String OTHER = "public class Number { public int of(int x) { return 3 * x; } }";

    private int made;
    private final ClassCompiler maker = new SharingClassCompiler((className, javaText, parent) ->
    {
        made++;
        return new CachingClassCompiler((name, text, loader) -> new JaninoSourceCompiler(null)
            .compile(name, text, loader),
            ClassCache.NONE).make(className, javaText, parent);
    });

    @Test
    void shouldMakeOneClassOfEqualTexts()
    {
        final Class<?> first = maker.make("Number", TEXT, PARENT);
        assertThat(maker.make("Number", new String(TEXT), PARENT)).isSameAs(first);
        assertThat(maker.make("Number", OTHER, PARENT)).isNotSameAs(first);
        assertThat(made).isEqualTo(2);
    }

    @Test
    void shouldMakeAnotherClassForAnotherParent()
    {
        final Class<?> first = maker.make("Number", TEXT, PARENT);
        final ClassLoader other = new ClassLoader(PARENT)
        {
        };
        assertThat(maker.make("Number", TEXT, other)).isNotSameAs(first);
        assertThat(maker.make("Number", TEXT, other).getClassLoader().getParent()).isSameAs(other);
    }

    @Test
    void shouldNotHoldClassesThatNothingUses()
    {
        final WeakReference<Class<?>> unused = new WeakReference<>(maker.make("Number", TEXT, PARENT));
        while (unused.get() != null)
        {
            System.gc();
            Thread.yield();
        }
        assertThat(maker.make("Number", TEXT, PARENT)).isNotNull();
        assertThat(made).isEqualTo(2);
    }
}
