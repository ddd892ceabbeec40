package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random values of all types, written as XML in random ways by this test, and received by a source. */
@Tag("slow")
@Timeout(120)
class XmlValuesTest
{
    private static final int BODIES = 1_000;
    private static final EventType ALL = EventType.tuple("Reading", new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("b", CqlType.BOOLEAN),
        new EventProperty("c", CqlType.CHAR), new EventProperty("t", CqlType.TIMESTAMP),
        new EventProperty("n", CqlType.BIGDECIMAL), new EventProperty("x", CqlType.BYTE));
    private static final String CHARS = "ab <>&'\"]\t\n\r\u00fc\u20ac{}\\";

    private final Random random = new Random(20_1);
    private final Receiver receiver = new Receiver(ALL);

    /** Values as the source delivers them. */
    private List<Object> row()
    {
        final byte[] bytes = new byte[1 + random.nextInt(9)];
        random.nextBytes(bytes);
        final List<Object> values = new ArrayList<>(List.of(random.nextInt(), random.nextLong(),
            random.nextInt(9) == 0 ? Float.NaN : Float.intBitsToFloat(random.nextInt() & 0x7F7F_FFFF),
            random.nextInt(9) == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian(),
            random.nextBoolean(), text(), random.nextLong() / 1_000 * 1_000,
            new BigDecimal(new BigInteger(90, random), random.nextInt(20)), bytes));
        for (int i = 0; i < values.size(); i++)
        {
            if (random.nextInt(6) == 0)
            {
                values.set(i, null);
            }
        }
        return values;
    }

    private String text()
    {
        final StringBuilder text = new StringBuilder();
        for (int length = 1 + random.nextInt(30); length > 0; length--)
        {
            text.append(random.nextInt(12) == 0 ? "\uD83D\uDE00" :
                String.valueOf(CHARS.charAt(random.nextInt(CHARS.length()))));
        }
        return text.toString();
    }

    private String plain(final Object value, final CqlType type)
    {
        return switch (type)
        {
            case TIMESTAMP -> Instant.EPOCH.plusNanos((Long)value).toString();
            case BYTE -> HexFormat.of().formatHex((byte[])value);
            case BIGDECIMAL -> random.nextBoolean() ? value.toString() : ((BigDecimal)value).toPlainString();
            default -> value.toString();
        };
    }

    /** Character data, or the value of an attribute. */
    private String escaped(final String text, final boolean isAttribute)
    {
        final StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(point ->
        {
            final boolean isSpecial = "<>&'\"\r".indexOf(point) >= 0 || isAttribute && "\t\n".indexOf(point) >= 0;
            if (isSpecial || random.nextInt(7) == 0)
            {
                escaped.append(random.nextBoolean() ? "&#" + point + ";" : "&#x" + Integer.toHexString(point) + ";");
            }
            else if (point == 'a' && !isAttribute && random.nextInt(3) == 0)
            {
                escaped.append(random.nextBoolean() ? "<![CDATA[a]]>" : "a<!-- <z> -->");
            }
            else
            {
                escaped.appendCodePoint(point);
            }
        });
        return escaped.toString();
    }

    private String blanks()
    {
        return " \n\t ".substring(random.nextInt(4));
    }

    private String event(final List<Object> row, final String name)
    {
        final List<String> attributes = new ArrayList<>(List.of("", " unknown='&lt;'"));
        final List<String> elements = new ArrayList<>(List.of("", "<!-- -->", "<u><c>x</c><c>&gt;</c></u>", "\n"));
        for (int i = 0; i < row.size(); i++)
        {
            final EventProperty property = ALL.properties().get(i);
            if (row.get(i) == null)
            {
                elements.add(random.nextBoolean() ? "" : "<" + property.name() + " s:nil='true'/>");
            }
            else
            {
                final String value = plain(row.get(i), property.type());
                final String pad = property.type() == CqlType.CHAR ? "" : blanks();
                if (random.nextInt(3) == 0)
                {
                    attributes.add(" " + property.name() + "='" + pad + escaped(value, true) + pad + "'");
                }
                else
                {
                    elements.add("<" + property.name() + " any='1'>" + pad + escaped(value, false) + pad + "</" +
                        property.name() + blanks() + ">");
                }
            }
        }
        Collections.shuffle(attributes, random);
        Collections.shuffle(elements, random);
        return "<" + name + String.join("", attributes) + ">" + String.join("", elements) + "</" + name + ">";
    }

    private static List<Object> comparable(final List<Object> row)
    {
        return row.stream().map(value -> value instanceof final byte[] bytes ? HexFormat.of().formatHex(bytes) : value)
            .toList().stream().collect(ArrayList::new, List::add, List::addAll);
    }

    @Test
    void shouldReceiveRandomValuesInEachSpelling() throws Exception
    {
        final List<List<Object>> expected = new ArrayList<>();
        try (RunningSource running = new RunningSource(receiver, source -> source.setMissing("null")).start())
        {
            for (int body = 0; body < BODIES; body++)
            {
                final List<List<Object>> rows = IntStream.range(0, random.nextInt(5)).mapToObj(i -> row()).toList();
                final StringBuilder document = new StringBuilder("<list xmlns:s='http://www.w3.org/2001/" +
                    "XMLSchema-instance'>");
                rows.forEach(row -> document.append(event(row, "Reading")).append(blanks()));
                final HttpResponse<String> response =
                    running.post("application/xml", document.append("</list>").toString());

                assertThat(response.statusCode()).as("%s %s", response.body(), document).isEqualTo(200);
                rows.forEach(row -> expected.add(comparable(row)));
            }
            assertThat(receiver.rows().stream().map(XmlValuesTest::comparable).toList()).isEqualTo(expected);
            assertThat(Arrays.asList(expected.size() > BODIES, expected.stream().anyMatch(row -> row.contains(null))))
                .containsOnly(true);
        }
    }
}
