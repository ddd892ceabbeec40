package dev.millrace.adapter.http.channel;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/** Reads messages of clients: an object, or an array of objects. Stateless. */
public final class JsonValues
{
    private JsonValues()
    {
    }

    /**
     * The objects of a message, each as JSON on one line.
     *
     * @throws IllegalArgumentException if the text is neither an object nor an array of objects
     */
    public static List<String> objects(final String text)
    {
        final JsonElement read;
        try (JsonReader reader = new JsonReader(new StringReader(text)))
        {
            reader.setStrictness(Strictness.STRICT);
            read = JsonParser.parseReader(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT)
            {
                throw new IllegalArgumentException("text follows the value");
            }
        }
        catch (final IOException | JsonParseException e)
        {
            throw new IllegalArgumentException("no JSON: " + e.getMessage(), e);
        }
        final List<String> values = new ArrayList<>();
        for (final JsonElement each : read instanceof final JsonArray array ? array : List.of(read))
        {
            if (!(each instanceof final JsonObject object))
            {
                throw new IllegalArgumentException("neither an object nor an array of objects");
            }
            values.add(object.toString());
        }
        return values;
    }
}
