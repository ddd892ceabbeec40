package dev.millrace.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.ls.LSException;

/** Serialized objects that the process refuses to read. */
@Timeout(60)
class SerialFilterTest
{
    private static byte[] serialized(final Object object) throws Exception
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes))
        {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(final byte[] bytes) throws Exception
    {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes)))
        {
            in.setObjectInputFilter(SerialFilter.of());
            return in.readObject();
        }
    }

    @Test
    void shouldReadWhatMembersSay() throws Exception
    {
        final Map<String, Object> said = Map.of("a", List.of(1, 2L), "b", new byte[] {3});
        assertThat(read(serialized(said))).asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
            .containsEntry("a", List.of(1, 2L));
    }

    @Test
    void shouldRefuseClassesOfOthers() throws Exception
    {
        final byte[] bytes = serialized(new LSException((short)1, "of another module"));
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(InvalidClassException.class);
    }

    @Test
    void shouldRefuseTablesOfTablesThatTakeForEver() throws Exception
    {
        Set<Object> inner = new HashSet<>();
        final Set<Object> outer = inner;
        Set<Object> other = new HashSet<>();
        for (int i = 0; i < 100; i++)
        {
            final Set<Object> one = new HashSet<>();
            final Set<Object> two = new HashSet<>();
            one.add("deeper");
            inner.add(one);
            inner.add(two);
            other.add(one);
            other.add(two);
            inner = one;
            other = two;
        }
        final byte[] bytes = serialized(outer);
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(InvalidClassException.class);
    }

    /** Starts a separate process, because a process has only one filter. */
    @Test
    void shouldHoldForTheWholeProcess() throws Exception
    {
        final Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
            System.getProperty("java.class.path"), Reader.class.getName()).redirectErrorStream(true).start();
        final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).contains("refused").doesNotContain("read");
    }

    /** Reads an object without setting a filter itself. */
    static final class Reader
    {
        private Reader()
        {
        }

        public static void main(final String[] args) throws Exception
        {
            SerialFilter.install();
            final byte[] bytes = serialized(new LSException((short)1, "of another module"));
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes)))
            {
                in.readObject();
                System.out.println("read");
            }
            catch (final InvalidClassException e)
            {
                System.out.println("refused");
            }
        }
    }
}
