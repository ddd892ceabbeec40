package dev.millrace.server.http;

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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The JSON object of a request, parsed strictly: unknown content is rejected. Not thread-safe. */
final class RuleBody
{
    /** The body of a request about rules is invalid: send the JSON shown in the hint. */
    private static final String BAD_BODY = "SRV-0504";
    private static final String HINT = "send an object, for example {\"text\": \"select ...\"}";

    private final JsonObject object;

    private RuleBody(final JsonObject object)
    {
        this.object = object;
    }

    /**
     * Parses a body.
     *
     * @throws HttpProblem when it is not a JSON object
     */
    static RuleBody of(final byte[] content) throws HttpProblem
    {
        final String text = new String(content, StandardCharsets.UTF_8);
        if (text.isBlank())
        {
            throw refuse("body is empty", HINT);
        }
        final JsonElement body;
        try (JsonReader reader = new JsonReader(new StringReader(text)))
        {
            reader.setStrictness(Strictness.STRICT);
            body = JsonParser.parseReader(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT)
            {
                throw refuse("body is not JSON, reason=content after the end", HINT);
            }
        }
        catch (final JsonParseException | IOException e)
        {
            final String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw refuse("body is not JSON, reason=" + reason, HINT);
        }
        if (!(body instanceof JsonObject object))
        {
            throw refuse("body is not a JSON object, found=" + kind(body), HINT);
        }
        return new RuleBody(object);
    }

    /** Rejects unknown members, which are probably misspelled. */
    void only(final List<String> names) throws HttpProblem
    {
        for (final String name : object.keySet())
        {
            if (!names.contains(name))
            {
                throw refuse("unknown member, name=" + name, "members are " + String.join(", ", names));
            }
        }
    }

    /** Returns a string, or {@code null} if it is missing. */
    String text(final String name) throws HttpProblem
    {
        return has(name) ? text(name, object.get(name)) : null;
    }

    /** Returns one of the given words. */
    String word(final String name, final List<String> words, final String otherwise) throws HttpProblem
    {
        final String word = text(name);
        if (word != null && !words.contains(word))
        {
            throw refuse("unknown value, member=" + name + " value=" + word, "write " + String.join(" or ", words));
        }
        return word == null ? otherwise : word;
    }

    /** Returns a boolean, which may also be given as a string. */
    boolean flag(final String name, final boolean otherwise) throws HttpProblem
    {
        if (!has(name))
        {
            return otherwise;
        }
        final JsonElement value = object.get(name);
        final String word = value.isJsonPrimitive() ? value.getAsString() : "";
        if (!word.equals("true") && !word.equals("false"))
        {
            throw refuse("not true or false, member=" + name + " found=" + value, "use true or false");
        }
        return word.equals("true");
    }

    /** Returns a list of strings, empty if it is missing. */
    List<String> texts(final String name) throws HttpProblem
    {
        final List<String> texts = new ArrayList<>();
        if (has(name))
        {
            if (!(object.get(name) instanceof JsonArray array))
            {
                throw refuse("not a list, member=" + name + " found=" + kind(object.get(name)),
                    "send a list of strings: [\"a\", \"b\"]");
            }
            for (final JsonElement each : array)
            {
                texts.add(text(name, each));
            }
        }
        return texts;
    }

    /** Returns all members, which must be strings or numbers. */
    Map<String, String> all() throws HttpProblem
    {
        final Map<String, String> all = new LinkedHashMap<>();
        for (final Map.Entry<String, JsonElement> each : object.entrySet())
        {
            if (!isSimple(each.getValue()))
            {
                throw refuse("not a string, member=" + each.getKey() + " found=" + kind(each.getValue()),
                    "send the values of :1, :2 and so on in one string, separated by commas");
            }
            all.put(each.getKey(), each.getValue().getAsString());
        }
        return all;
    }

    private boolean has(final String name)
    {
        return object.has(name) && !object.get(name).isJsonNull();
    }

    private static String text(final String name, final JsonElement value) throws HttpProblem
    {
        final Predicate<JsonElement> isText = each -> each.isJsonPrimitive() && each.getAsJsonPrimitive().isString();
        if (!isText.test(value))
        {
            throw refuse("not a string, member=" + name + " found=" + kind(value), "put the value in quotes");
        }
        return value.getAsString();
    }

    private static boolean isSimple(final JsonElement value)
    {
        return value.isJsonPrimitive() && !value.getAsJsonPrimitive().isBoolean();
    }

    private static String kind(final JsonElement value)
    {
        if (value.isJsonPrimitive())
        {
            return value.getAsJsonPrimitive().isString() ? "a string" : value.toString();
        }
        return value.isJsonNull() ? "null" : value.isJsonArray() ? "a list" : "an object";
    }

    private static HttpProblem refuse(final String text, final String hint)
    {
        return new HttpProblem(HttpProblem.BAD_REQUEST, BAD_BODY, text, hint);
    }
}
