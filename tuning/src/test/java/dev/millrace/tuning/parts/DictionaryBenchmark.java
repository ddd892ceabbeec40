package dev.millrace.tuning.parts;

import dev.millrace.api.event.Dictionary;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Text to number: strings and bytes that are in the dictionary already. */
@State(Scope.Thread)
public class DictionaryBenchmark
{
    private static final int LOOKUPS = 1 << 20;

    /** Different texts. */
    @Param({"300", "1470", "1000000"})
    private int texts;

    private final String[] strings = new String[LOOKUPS];
    private final byte[][] bytes = new byte[LOOKUPS][];
    private Dictionary dictionary;
    private int next;

    /** Fills the dictionary and the row of texts to be looked up. */
    @Setup
    public void fill()
    {
        dictionary = new Dictionary("symbols");
        final String[] all = new String[texts];
        for (int i = 0; i < texts; i++)
        {
            all[i] = "G" + i;
            dictionary.idOf(all[i]);
        }
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LOOKUPS; i++)
        {
            strings[i] = all[random.nextInt(texts)];
            bytes[i] = strings[i].getBytes(StandardCharsets.UTF_8);
        }
    }

    /** A string whose hash is known. */
    @Benchmark
    public int string()
    {
        next = next + 1 & LOOKUPS - 1;
        return dictionary.idOf(strings[next]);
    }

    /** Bytes as they come from a socket. */
    @Benchmark
    public int bytes()
    {
        next = next + 1 & LOOKUPS - 1;
        final byte[] text = bytes[next];
        return dictionary.idOf(text, 0, text.length);
    }
}
