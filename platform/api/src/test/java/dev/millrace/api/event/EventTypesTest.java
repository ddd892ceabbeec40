package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventTypesTest
{
    private static final EventProperty ID = new EventProperty("id", CqlType.INT);
    private static final EventProperty NAME = new EventProperty("name", CqlType.CHAR);

    @Test
    void shouldFindTypesByCqlAndJavaNamesWhateverTheCase()
    {
        assertThat(CqlType.byName("BigInt")).isEqualTo(CqlType.BIGINT);
        assertThat(CqlType.byName(" char ")).isEqualTo(CqlType.CHAR);
        assertThat(CqlType.byName("java.lang.String")).isEqualTo(CqlType.CHAR);
        assertThat(CqlType.byName("long")).isEqualTo(CqlType.BIGINT);
        assertThat(CqlType.byName("java.lang.Integer")).isEqualTo(CqlType.INT);
        assertThat(CqlType.byName("java.math.BigDecimal")).isEqualTo(CqlType.BIGDECIMAL);
        assertThat(CqlType.byName("byte[]")).isEqualTo(CqlType.BYTE);
        assertThat(CqlType.byName("java.util.Date")).isEqualTo(CqlType.TIMESTAMP);
        assertThat(CqlType.byName("object")).isEqualTo(CqlType.OBJECT);
        assertThat(CqlType.byName("money")).isNull();
    }

    @Test
    void shouldKnowWhichTypesAreNumbers()
    {
        assertThat(List.of(CqlType.values()).stream().filter(CqlType::isNumeric)).containsExactly(
            CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE, CqlType.BIGDECIMAL);
    }

    @Test
    void shouldFindColumnsWhateverTheCase()
    {
        final EventType type = EventType.tuple("T", ID, NAME);
        assertThat(type.indexOf("NAME")).isEqualTo(1);
        assertThat(type.indexOf("none")).isEqualTo(-1);
        assertThat(type.kind()).isEqualTo(EventType.Kind.TUPLE);
    }

    @Test
    void shouldRefuseTypesThatMakeNoSense()
    {
        assertThatThrownBy(() -> EventType.tuple("T", ID, new EventProperty("ID", CqlType.CHAR)))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("property=ID");
        assertThatThrownBy(() -> EventType.tuple("T")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventType("T", EventType.Kind.BEAN, List.of(ID), null))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventType("T", EventType.Kind.MAP, List.of(ID), String.class))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventProperty("p", CqlType.CHAR, 0))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventProperty("p", CqlType.CHAR, 4097))
            .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldGiveTupleValuesByColumnAndByName()
    {
        final EventType type = EventType.tuple("T", ID, NAME);
        final TupleEvent event = new TupleEvent(type, 1, "x");
        assertThat(event.get(1)).isEqualTo("x");
        assertThat(event.get("Id")).isEqualTo(1);
        assertThatThrownBy(() -> event.get("none")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TupleEvent(type, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBeOneShapeForOneType()
    {
        final EventType ticks = EventType.tuple("Tick", NAME, ID);
        assertThat(new BatchSchema(ticks)).isEqualTo(new BatchSchema(ticks)).hasSameHashCodeAs(new BatchSchema(ticks))
            .isNotEqualTo(new BatchSchema(EventType.tuple("Tick", NAME, ID)));
        assertThat(new BatchSchema(ticks).columnCount()).isEqualTo(2);
        assertThat(new BatchSchema(ticks).storage(0)).isEqualTo(ColumnStorage.TEXT);
    }
}
