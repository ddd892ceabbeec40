package dev.millrace.cluster.deployment;

import dev.millrace.cluster.SharedMap;
import java.util.Arrays;
import java.util.Optional;

/** What the members say of how far they are. Safe for all threads. */
final class Results
{
    private final SharedMap map;

    Results(final SharedMap map)
    {
        this.map = map;
    }

    private static String key(final String application, final String member)
    {
        return application + '/' + member;
    }

    Optional<Result> get(final String application, final String member)
    {
        return Optional.ofNullable(map.get(key(application, member))).map(Result::of);
    }

    void put(final String application, final String member, final Result result)
    {
        final String key = key(application, member);
        final byte[] json = result.json();
        if (!Arrays.equals(json, map.get(key)))
        {
            map.put(key, json);
        }
    }
}
