package dev.millrace.cql.compiler.janino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compilations that use the types which others have resolved. */
@Timeout(60)
class ResolvedTypeCacheTest
{
    private static final String TEXT = "package dev.millrace.cql.generated; import java.util.*; " +
        "public class NAME { public static int of(int x) { List all = new ArrayList(); all.add(\"\" + x); " +
        "return FACTOR * Integer.parseInt((String) all.get(0)); } }";

    /** Records the classes that it is asked for. */
    private static final class Recording extends ClassLoader
    {
        private final List<String> asked = new ArrayList<>();

        Recording()
        {
            super(ResolvedTypeCacheTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
        {
            synchronized (asked)
            {
                asked.add(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    private static void compile(final String name, final int factor, final ClassLoader loader)
    {
        assertThat(new JaninoSourceCompiler(null)
            .compile("dev.millrace.cql.generated." + name, text(name, factor), loader))
            .containsOnlyKeys("dev.millrace.cql.generated." + name);
    }

    private static String text(final String name, final int factor)
    {
        return TEXT.replace("NAME", name).replace("FACTOR", Integer.toString(factor));
    }

    @Test
    void shouldAskTheClassLoaderOnlyOnceForTypesAndForNamesThatAreNone()
    {
        final Recording loader = new Recording();
        compile("First", 2, loader);
        assertThat(loader.asked).contains("java.util.ArrayList", "dev.millrace.cql.generated.ArrayList")
            .doesNotHaveDuplicates();
        loader.asked.clear();
        compile("Second", 3, loader);
        assertThat(loader.asked).isEmpty();
    }

    @Test
    void shouldSeeTheTypesOfTheirOwnClassLoader()
    {
        final Recording first = new Recording();
        compile("First", 2, first);
        final Recording other = new Recording();
        compile("First", 2, other);
        assertThat(other.asked).contains("java.util.ArrayList");
    }

    @Test
    void shouldCompileAfterATextThatDoesNot()
    {
        final Recording loader = new Recording();
        assertThatThrownBy(() -> new JaninoSourceCompiler(null).compile("dev.millrace.cql.generated.Bad",
            text("Bad", 1).replace("Integer", "Missing"), loader)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Missing");
        compile("Good", 2, loader);
    }

    @Test
    void shouldServeSeveralThreads() throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(4);
        try
        {
            final List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                final int factor = i;
                results.add(threads.submit(() -> (Integer)new JaninoClassCompiler().make(
                    "dev.millrace.cql.generated.Of" + factor, text("Of" + factor, factor),
                    ResolvedTypeCacheTest.class.getClassLoader()).getMethod("of", int.class).invoke(null, 7)));
            }
            for (int i = 0; i < 100; i++)
            {
                assertThat(results.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(7 * i);
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }
}
