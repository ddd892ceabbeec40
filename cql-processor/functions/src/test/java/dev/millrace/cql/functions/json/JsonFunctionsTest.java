package dev.millrace.cql.functions.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class JsonFunctionsTest
{
    private static final String TEXT = """
        { "id": 17, "name": "A\\"b\\u00e9\\n", "ok": true, "none": null, "price": -1.5e3,
          "tags": ["x", {"y z": [0, 1, 2]}, []], "a": {"b": {"c": "deep"}}, "a\\u002eb": 1, "id": 18 }""";

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', nullValues = "null", value = {
        "$.id; 17", "$.ok; true", "$.none; null", "$.price; -1.5e3", "$.tags[0]; x", "$.tags[1]; null",
        "$.tags[1].\"y z\"[2]; 2", "$['tags'][1]['y z'][0]; 0", "$.tags[3]; null", "$.tags[2][0]; null",
        "$.a.b.c; deep", "$.a.b.c.d; null", "$.a; null", "$; null", "$.\"a.b\"; 1", "$.missing; null", "$.id[0]; null"})
    void shouldReadScalars(final String path, final String value)
    {
        assertThat(JsonFunctions.value(TEXT, path)).isEqualTo(value);
    }

    @Test
    void shouldRemoveEscapes()
    {
        assertThat(JsonFunctions.value(TEXT, "$.name")).isEqualTo("A\"b\u00e9\n");
        assertThat(JsonFunctions.value("\"\\/\\\\\\b\\f\\r\\t\"", "$")).isEqualTo("/\\\b\f\r\t");
        assertThat(JsonFunctions.value("\"\"", "$")).isNull();
    }

    @Test
    void shouldReturnObjectsAndArraysAsWritten()
    {
        assertThat(JsonFunctions.query(TEXT, "$.tags[1]")).isEqualTo("{\"y z\": [0, 1, 2]}");
        assertThat(JsonFunctions.query(TEXT, "$.id")).isNull();
        assertThat(JsonFunctions.query(TEXT, "$.missing")).isNull();
    }

    @Test
    void shouldTellWhetherAValueExists()
    {
        assertThat(JsonFunctions.exists(TEXT, "$.none")).isTrue();
        assertThat(JsonFunctions.exists(TEXT, "$.tags[2]")).isTrue();
        assertThat(JsonFunctions.exists(TEXT, "$.nothing")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "{; $.a", "{\"a\"; $.a", "{\"a\":; $.a", "{\"a\":1,}; $.b", "{a:1}; $.a", "[1,]; $[1]", "[1 2]; $[1]", "01; $",
        "1.; $", "-; $", "1e; $", "tru; $", "\"a; $", "\"\\x\"; $", "\"\\u12\"; $", "{\"a\" 1}; $.a", "`  `; $",
        "x; $.a.b",
        "{\"a\":{\"b\":[1}}; $.c"})
    void shouldRejectMalformedTexts(final String text, final String path)
    {
        assertThatThrownBy(() -> JsonFunctions.value(text, path)).isInstanceOf(RowRejectedException.class)
            .hasMessageContaining("function=json_value");
    }

    @Test
    void shouldRejectTooDeepTexts()
    {
        final String deep = "[".repeat(100_000);
        assertThatThrownBy(() -> JsonFunctions.value(deep, "$[1]")).isInstanceOf(RowRejectedException.class);
    }

    /** The rest of the text is not read. */
    @Test
    void shouldStopAtTheValue()
    {
        assertThat(JsonFunctions.value("{\"a\": 1, oops", "$.a")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "a", "`.a`", "$a", "$.", "$..a", "$.a.", "$[", "$[]", "$[a]", "$[-1]", "$[0", "$[*]", "$.*", "$['a", "$['a'",
        "$.\"a",
        "$.a b", "$[12345678901]"})
    void shouldRefusePathsOfOtherForms(final String path)
    {
        assertThat(JsonPath.problem(path)).isNotNull();
        assertThatThrownBy(() -> JsonFunctions.value("{\"a\":[1]}", path)).isInstanceOf(RowRejectedException.class);
    }

    /** An independent parser finds the same values in random texts. */
    @Test
    void shouldAgreeWithAnotherParser()
    {
        final Random random = new Random(5);
        for (int i = 0; i < 2_000; i++)
        {
            final StringBuilder text = new StringBuilder();
            write(text, random, 0);
            final String path = '$' + step(random) + step(random);
            final JsonElement found = at(JsonParser.parseString(text.toString()), path);
            assertThat(JsonFunctions.exists(text.toString(), path)).as(text + " " + path).isEqualTo(found != null);
            assertThat(JsonFunctions.value(text.toString(), path)).as(text + " " + path).isEqualTo(
                found != null && found.isJsonPrimitive() ? found.getAsString() : null);
        }
    }

    private static String step(final Random random)
    {
        return random.nextBoolean() ? ".k" + random.nextInt(3) : "[" + random.nextInt(3) + "]";
    }

    private static JsonElement at(final JsonElement root, final String path)
    {
        JsonElement found = root;
        for (final String step : path.substring(1).split("(?=[.\\[])"))
        {
            final String name = step.replaceAll("[.\\[\\]]", "");
            found = found == null ? null : step.startsWith(".") ?
                found.isJsonObject() ? found.getAsJsonObject().get(name) : null :
                found.isJsonArray() && found.getAsJsonArray().size() > Integer.parseInt(name) ?
                    found.getAsJsonArray().get(Integer.parseInt(name)) : null;
        }
        return found;
    }

    private static void write(final StringBuilder text, final Random random, final int depth)
    {
        final int kind = random.nextInt(depth < 2 ? 12 : 4);
        final int size = 1 + random.nextInt(3);
        if (kind < 4)
        {
            text.append(switch (kind)
            {
                case 0 -> "null";
                case 1 -> "false";
                case 2 -> "\"v" + random.nextInt(9) + "\\\"\"";
                default -> String.valueOf(random.nextInt(100));
            });
            return;
        }
        text.append(kind < 8 ? "{ " : "[ ");
        for (int i = 0; i < size; i++)
        {
            text.append(i == 0 ? "" : " , ").append(kind < 8 ? "\"k" + i + "\" : " : "");
            write(text, random, depth + 1);
        }
        text.append(kind < 8 ? " }" : " ]");
    }
}
