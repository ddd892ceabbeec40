package dev.millrace.adapter.common.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.internal.Streams;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.millrace.api.internal.Utf8Validator;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of objects; random and damaged objects give what Gson's strict reader gives. */
@Timeout(60)
class JsonObjectReaderTest
{
    private static final long SEED = 20261130;
    private static final int ROUNDS = 20_000;
    private static final String[] STRINGS = {"", "a", "price", "with \"quotes\"", "back\\slash", "line\nend\ttab",
        "\u0000\u001f", "caf\u00e9", "\u20ac", "\ud83d\ude00 end", "exactly8", "a text of more than eight bytes",
        "\u2028\u2029", "/\b\f\r"};
    private static final String[] NUMBERS = {"0", "-0", "1", "-17", "3.25", "1e5", "1E-5", "-2.5e+10",
        "123456789012345678901234567890", "0.1"};

    private final JsonObjectReader reader = new JsonObjectReader();

    /** The members as texts; {@code null} if the object is broken. */
    private List<String> read(final byte[] bytes, final int from, final int to)
    {
        final List<String> members = new ArrayList<>();
        reader.begin(bytes, from, to);
        while (reader.next())
        {
            final String name = text(reader.nameBytes(), reader.nameFrom(), reader.nameTo());
            final String value = text(reader.valueBytes(), reader.valueFrom(), reader.valueTo());
            members.add(name + "=" + switch (reader.kind())
            {
                case STRING -> '"' + value + '"';
                case NESTED -> gson(value).toString();
                default -> value;
            });
        }
        return reader.isBroken() ? null : members;
    }

    private static String text(final byte[] bytes, final int from, final int to)
    {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private List<String> read(final String text)
    {
        // Bytes around the object must not be read.
        final byte[] bytes = ("]\"" + text + "}\",1").getBytes(StandardCharsets.UTF_8);
        return read(bytes, 2, bytes.length - 4);
    }

    private static JsonElement gson(final String text)
    {
        final JsonReader strict = new JsonReader(new StringReader(text));
        strict.setStrictness(Strictness.STRICT);
        return Streams.parse(strict);
    }

    /** What Gson reads; {@code null} if it is no object. */
    private static List<String> expected(final String text)
    {
        final JsonReader strict = new JsonReader(new StringReader(text));
        strict.setStrictness(Strictness.STRICT);
        final List<String> members = new ArrayList<>();
        try
        {
            strict.beginObject();
            while (strict.hasNext())
            {
                final String name = strict.nextName();
                final JsonToken kind = strict.peek();
                members.add(name + "=" + switch (kind)
                {
                    case STRING -> '"' + strict.nextString() + '"';
                    case NUMBER -> strict.nextString();
                    case BOOLEAN -> String.valueOf(strict.nextBoolean());
                    case NULL ->
                    {
                        strict.nextNull();
                        yield "null";
                    }
                    default -> Streams.parse(strict).toString();
                });
            }
            strict.endObject();
            return strict.peek() == JsonToken.END_DOCUMENT ? members : null;
        }
        catch (final IOException | RuntimeException e)
        {
            return null;
        }
    }

    private static String blanks(final Random random)
    {
        return random.nextInt(3) > 0 ? "" : " \t\r\n".substring(random.nextInt(4)).substring(0, 1);
    }

    private static String string(final Random random)
    {
        final String text = STRINGS[random.nextInt(STRINGS.length)];
        if (random.nextInt(3) > 0)
        {
            return new JsonPrimitive(text).toString();
        }
        final StringBuilder escaped = new StringBuilder("\"");
        text.chars().forEach(each -> escaped.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", each)));
        return escaped.append('"').toString();
    }

    private static String value(final Random random, final int depth)
    {
        return switch (random.nextInt(depth > 3 ? 5 : 7))
        {
            case 0, 1 -> string(random);
            case 2, 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 4 -> List.of("true", "false", "null").get(random.nextInt(3));
            case 5 -> object(random, depth + 1);
            default ->
            {
                final StringBuilder array = new StringBuilder("[").append(blanks(random));
                for (int i = random.nextInt(4); i > 0; i--)
                {
                    array.append(value(random, depth + 1)).append(blanks(random)).append(i > 1 ? "," : "");
                }
                yield array.append(']').toString();
            }
        };
    }

    private static String object(final Random random, final int depth)
    {
        final StringBuilder object = new StringBuilder("{").append(blanks(random));
        final int count = random.nextInt(5);
        for (int i = 0; i < count; i++)
        {
            // Gson refuses to parse nested objects with equal names.
            final String name = string(random);
            object.append(name, 0, name.length() - 1).append(i).append('"').append(blanks(random)).append(':')
                .append(blanks(random)).append(value(random, depth)).append(blanks(random))
                .append(i < count - 1 ? "," : "").append(blanks(random));
        }
        return object.append('}').toString();
    }

    /** Deletes, repeats or replaces bytes. */
    private static byte[] damaged(final Random random, final byte[] bytes)
    {
        final int at = random.nextInt(bytes.length);
        final String replacements = "\"\\{}[]:,0-.eEtfnu \n\u0001x";
        final byte[] changed = bytes.clone();
        switch (random.nextInt(3))
        {
            case 0 -> changed[at] = (byte)replacements.charAt(random.nextInt(replacements.length()));
            case 1 -> System.arraycopy(bytes, at, changed, Math.min(at + 1, bytes.length - 1),
                Math.max(0, bytes.length - at - 1));
            default ->
            {
                System.arraycopy(bytes, Math.min(at + 1, bytes.length - 1), changed, at,
                    Math.max(0, bytes.length - at - 1));
                changed[bytes.length - 1] = ' ';
            }
        }
        return changed;
    }

    @Test
    void shouldReadWhatGsonReads()
    {
        final long seed = Long.getLong("seed", SEED);
        int valid = 0;
        int broken = 0;
        for (int i = 0; i < ROUNDS; i++)
        {
            final Random random = new Random(seed + i);
            byte[] bytes = (blanks(random) + object(random, 0) + blanks(random)).getBytes(StandardCharsets.UTF_8);
            for (int changes = random.nextInt(3); changes > 0; changes--)
            {
                bytes = damaged(random, bytes);
            }
            if (Utf8Validator.length(bytes, 0, bytes.length) == Utf8Validator.INVALID)
            {
                continue;
            }
            final String text = new String(bytes, StandardCharsets.UTF_8);
            final List<String> expected = expected(text);
            if (expected != null && (hasHalfPair(text) || isAlteredByGson(text)))
            {
                continue;
            }
            assertThat(read(text)).as("seed=%s text=%s", seed + i, text).isEqualTo(expected);
            valid += expected == null ? 0 : 1;
            broken += expected == null ? 1 : 0;
        }
        assertThat(valid).isGreaterThan(ROUNDS / 4);
        assertThat(broken).isGreaterThan(ROUNDS / 4);
    }

    /** Gson accepts half a surrogate pair, which has no form in UTF-8. */
    private static boolean hasHalfPair(final String text)
    {
        return expected(text).stream().anyMatch(member -> member.codePoints()
            .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) ||
            text.toLowerCase(Locale.ROOT).contains("\\ud");
    }

    /** Gson skips a byte order mark. */
    private static boolean isAlteredByGson(final String text)
    {
        return text.startsWith("\ufeff");
    }

    @Test
    void shouldReadPairsOfSurrogatesAndRefuseHalves()
    {
        assertThat(read("{\"a\":\"\\ud83d\\uDE00\"}")).containsExactly("a=\"\ud83d\ude00\"");
        for (final String half : List.of("\\ud83d", "\\ude00", "\\ud83dx", "\\ud83d\\n", "\\ud83d\\u0041",
            "\\ude00\\ud83d", "\\ud83d\\ud83d"))
        {
            assertThat(read("{\"a\":\"" + half + "\"}")).as(half).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1", "[]", "{", "}", "{}}", "{},", "{} {}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{,\"a\":1}", "{a:1}", "{'a':1}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}",
        "{\"a\":-}", "{\"a\":NaN}", "{\"a\":True}", "{\"a\":nul}", "{\"a\":truex}", "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\", "{\"a\":\"", "{\"a\":\"\u0001\"}", "{\"a\":[1,]}",
        "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":{]}", "{\"a\":{\"b\"}}", "{\"a\":{\"b\":1,}}", "{\"a\":{1:1}}",
        "{\"a\":[1}", "{\"a\":1;\"b\":2}", "{\"a\"=1}", "{\"a\":1 /* */}", "{\"a\":tru", "{\"a\":[tru", "\"a\":1}"})
    void shouldRefuse(final String text)
    {
        assertThat(read(text)).isNull();
    }

    @Test
    void shouldLimitTheDepth()
    {
        final int most = JsonObjectReader.MAX_DEPTH;
        assertThat(read("{\"a\":" + "[".repeat(most) + "]".repeat(most) + ",\"b\":1}")).hasSize(2);
        assertThat(read("{\"a\":" + "[".repeat(most + 1) + "]".repeat(most + 1) + "}")).isNull();
        assertThat(read("{\"a\":" + "[{\"b\":".repeat(100_000))).isNull();
    }

    @Test
    void shouldKeepTheNameWhenTheValueHasEscapesToo()
    {
        assertThat(read("{\"\\u0061\\u0062\":\"\\u0063\\u0064\",\"e\":\"\\n\"}")).containsExactly("ab=\"cd\"",
            "e=\"\n\"");
    }

    @Test
    void shouldReadStringsOfAnyLengthWithAnEscapeAtAnyPlace()
    {
        for (int length = 0; length < 600; length += length < 40 ? 1 : 97)
        {
            for (int place = 0; place <= length; place += length < 40 ? 1 : 31)
            {
                final String text = "x".repeat(place) + "\"\u20ac" + "y".repeat(length - place);
                final JsonObject object = new JsonObject();
                object.addProperty("name", text);
                assertThat(read(object.toString())).containsExactly("name=\"" + text + '"');
            }
        }
    }
}
