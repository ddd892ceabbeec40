package dev.millrace.adapter.kafka.outbound;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a transaction stores about the rows up to it. Immutable.
 *
 * @param transaction number of the transaction, from 1; 0 before the first one
 * @param writer      unique for each start of a sink, which recognizes its transactions by it
 * @param numbers     of the last rows, by the names of their producers
 */
record StoredPosition(long transaction, String writer, Map<String, Long> numbers)
{
    static final StoredPosition NONE = new StoredPosition(0, "", Map.of());

    private static final Gson GSON = new Gson();

    StoredPosition
    {
        numbers = Map.copyOf(numbers);
    }

    byte[] bytes()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if the bytes are not those of a position */
    static StoredPosition of(final byte[] bytes)
    {
        try
        {
            final StoredPosition position =
                GSON.fromJson(new String(bytes, StandardCharsets.UTF_8), StoredPosition.class);
            if (position != null && position.transaction > 0 && position.writer != null)
            {
                return position;
            }
        }
        catch (final JsonSyntaxException | NullPointerException e)
        {
            throw new IllegalArgumentException("not a position: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("not a position");
    }
}
