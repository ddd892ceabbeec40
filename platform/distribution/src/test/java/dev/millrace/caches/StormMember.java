package dev.millrace.caches;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A member in a separate process that changes the cache at a given rate. Lines of its input: {@code storm N SECONDS}
 * with N changes per second, {@code end}; its responses are lines that begin with {@code storm-member}.
 */
final class StormMember
{
    static final int SYMBOLS = 300;
    static final double NEVER = 1e12;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private StormMember()
    {
    }

    static String symbol(final int number)
    {
        return "SYM" + number;
    }

    public static void main(final String[] arguments) throws Exception
    {
        try (MemberApplication member =
            new MemberApplication("storm", Integer.parseInt(arguments[0]), Path.of(arguments[1])))
        {
            member.deploy(Limits.ASSEMBLY, Limits.CONFIGURATION);
            final Cache cache = member.bean("limits", Cache.class);
            final EventType limit =
                member.bean("dev.millrace.assembly.eventTypes", EventTypeRepository.class).eventType("Limit");
            final BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println("storm-member ready");
            long all = 0;
            for (String line = lines.readLine(); line != null && !line.equals("end"); line = lines.readLine())
            {
                final String[] words = line.split(" ");
                all = storm(cache, limit, all, Long.parseLong(words[1]), Double.parseDouble(words[2]));
                System.out.println("storm-member " + all);
            }
        }
    }

    /**
     * Changes that are due are sent together; returns the number of all changes so far, which is in the values of the
     * last ones.
     */
    private static long storm(
        final Cache cache, final EventType limit, final long before, final long perSecond, final double seconds)
    {
        final long startNs = System.nanoTime();
        final long changes = before + (long)(perSecond * seconds);
        long done = before;
        while (done < changes)
        {
            final long due =
                Math.min(changes, before + (System.nanoTime() - startNs) * perSecond / 1_000_000_000L);
            if (due == done)
            {
                LockSupport.parkNanos(PAUSE_NS);
                continue;
            }
            final Map<Object, Object> together = new LinkedHashMap<>();
            while (done < due && together.size() < SYMBOLS)
            {
                final String symbol = symbol((int)(done % SYMBOLS));
                together.put(symbol, new TupleEvent(limit, symbol, NEVER + done));
                done++;
            }
            cache.putAll(together);
        }
        return done;
    }
}
