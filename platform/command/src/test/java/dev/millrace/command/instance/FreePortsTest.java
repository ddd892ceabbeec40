package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FreePortsTest
{
    private static final int COUNT = 8;
    private static final int RANGES = 100;
    private static final int MORE_THAN_A_BLOCK = 2_000;
    private static final int ALMOST_A_BLOCK = 400;
    private static final int LARGE_RANGES = 10;

    private final List<Integer> found = new ArrayList<>();

    private void add(final int first, final int count)
    {
        IntStream.range(first, first + count).forEach(found::add);
    }

    /** A class that is loaded again has separate blocks, like another process. */
    @Test
    void shouldNotFindPortsThatItOrAnotherProcessHasFoundEvenIfTheyAreNotBoundYet() throws Exception
    {
        final URL classes = FreePorts.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader another = new URLClassLoader(new URL[] {classes}, null))
        {
            final Method range = another.loadClass(FreePorts.class.getName()).getMethod("range", int.class);
            for (int i = 0; i < RANGES; i++)
            {
                add(FreePorts.range(COUNT), COUNT);
                add((int)range.invoke(null, COUNT), COUNT);
            }
        }
        assertThat(found).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindMorePortsThanABlockHas() throws Exception
    {
        add(FreePorts.range(MORE_THAN_A_BLOCK), MORE_THAN_A_BLOCK);
        // Each takes another block, which may begin within the large range.
        for (int i = 0; i < LARGE_RANGES; i++)
        {
            add(FreePorts.range(ALMOST_A_BLOCK), ALMOST_A_BLOCK);
        }
        assertThat(found).doesNotHaveDuplicates();
    }
}
