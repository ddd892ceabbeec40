package dev.millrace.network.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventCodecTest
{
    private static final List<EventProperty> ALL = List.of(
        new EventProperty("i", CqlType.INT), new EventProperty("l", CqlType.BIGINT),
        new EventProperty("f", CqlType.FLOAT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("n", CqlType.BIGDECIMAL), new EventProperty("c", CqlType.CHAR, 4),
        new EventProperty("y", CqlType.BYTE), new EventProperty("b", CqlType.BOOLEAN),
        new EventProperty("t", CqlType.TIMESTAMP), new EventProperty("v", CqlType.INTERVAL),
        new EventProperty("x", CqlType.XMLTYPE), new EventProperty("o", CqlType.OBJECT));

    private final EventType tuple = new EventType("Tuple", EventType.Kind.TUPLE, ALL, null);
    private final EventType map = new EventType("Map", EventType.Kind.MAP, ALL, null);

    private static EventBatch batch(final EventType type)
    {
        return new EventBatch(new BatchSchema(type));
    }

    private static Object through(final EventType type, final String property, final Object value)
        throws EventRejectedException
    {
        final EventBatch batch = batch(type);
        final Map<String, Object> event = new HashMap<>();
        event.put(property, value);
        EventCodec.of(batch.schema()).write(event, batch, 7);
        return batch.value(type.indexOf(property), 7);
    }

    @Test
    void shouldGiveBackWhatWasWrittenForEveryType() throws Exception
    {
        final byte[] bytes = {1, 2};
        final Object any = new Object();
        final TupleEvent event = new TupleEvent(
            tuple, 1, 2L, 3.5f, 4.5, new BigDecimal("5.55"), "text", bytes, true, 8L, 9L, "<x/>", any);
        final EventBatch batch = batch(tuple);
        final EventCodec codec = EventCodec.of(batch.schema());
        codec.write(event, batch, 0);
        final TupleEvent read = (TupleEvent)codec.read(batch, 0);
        for (int i = 0; i < ALL.size(); i++)
        {
            assertThat(read.get(i)).as(ALL.get(i).name()).isEqualTo(event.get(i));
        }
        assertThat(read.type()).isSameAs(tuple);
    }

    @Test
    void shouldRejectTimesAndIntervalsWhenNanosecondsDoNotFit() throws Exception
    {
        for (final Object tooFar : List.of(Instant.MAX, Instant.MIN, Instant.parse("2263-01-01T00:00:00Z"),
            new Date(Long.MAX_VALUE), new Date(Long.MIN_VALUE)))
        {
            assertThatThrownBy(() -> through(map, "t", tooFar)).as("%s", tooFar)
                .isInstanceOf(EventRejectedException.class).hasMessageContaining("does not fit");
        }
        for (final Duration tooLong : List.of(Duration.ofDays(200_000), Duration.ofSeconds(Long.MIN_VALUE)))
        {
            assertThatThrownBy(() -> through(map, "v", tooLong)).as("%s", tooLong)
                .isInstanceOf(EventRejectedException.class).hasMessageContaining("does not fit");
        }
        assertThat(through(map, "t", Instant.EPOCH.plusNanos(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
        assertThat(through(map, "t", Instant.EPOCH.plusNanos(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
        assertThat(through(map, "v", Duration.ofNanos(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldTakeNullsAndOverwriteThem() throws Exception
    {
        final EventBatch batch = batch(map);
        final EventCodec codec = EventCodec.of(batch.schema());
        codec.write(Map.of(), batch, 0);
        assertThat((Map<?, ?>)codec.read(batch, 0)).hasSize(12).allSatisfy((key, value) -> assertThat(value).isNull());
        codec.write(Map.of("i", 5, "c", ""), batch, 0);
        assertThat(batch.value(0, 0)).isEqualTo(5);
        assertThat(batch.value(5, 0)).isNull();
    }

    @Test
    void shouldConvertNumbersThatFit() throws Exception
    {
        assertThat(through(map, "i", 5L)).isEqualTo(5);
        assertThat(through(map, "i", (short)5)).isEqualTo(5);
        assertThat(through(map, "i", 5.0)).isEqualTo(5);
        assertThat(through(map, "l", 5)).isEqualTo(5L);
        assertThat(through(map, "l", new BigDecimal("5.0"))).isEqualTo(5L);
        assertThat(through(map, "l", new BigInteger("9223372036854775807"))).isEqualTo(Long.MAX_VALUE);
        assertThat(through(map, "f", 0.1)).isEqualTo(0.1f);
        assertThat(through(map, "d", 3)).isEqualTo(3.0);
        assertThat(through(map, "d", 0.5f)).isEqualTo(0.5);
        assertThat(through(map, "n", 3)).isEqualTo(BigDecimal.valueOf(3));
        assertThat(through(map, "n", 0.1)).isEqualTo(new BigDecimal("0.1"));
        assertThat(through(map, "c", 'Z')).isEqualTo("Z");
        assertThat(through(map, "c", "longer than four characters")).isEqualTo("longer than four characters");
        assertThat(through(map, "t", new Date(5))).isEqualTo(5_000_000L);
        assertThat(through(map, "t", Instant.ofEpochSecond(1, 5))).isEqualTo(1_000_000_005L);
        assertThat(through(map, "v", Duration.ofMillis(2))).isEqualTo(2_000_000L);
    }

    @Test
    void shouldRejectValuesThatDoNotFitNamingPropertyAndValue()
    {
        rejects("i", 1L << 40, "value=1099511627776");
        rejects("i", 5.5, "value=5.5");
        rejects("i", Double.NaN, "value=NaN");
        rejects("l", new BigInteger("9223372036854775808"), "value=9223372036854775808");
        rejects("l", 1e19, "value=1.0E19");
        rejects("f", 1e300, "value=1.0E300");
        rejects("n", Double.POSITIVE_INFINITY, "value=Infinity");
        rejects("d", "12", "class=java.lang.String");
        rejects("c", 12, "value=12");
        rejects("b", 1, "expected=boolean");
        rejects("y", "bytes", "expected=byte");
        rejects("t", "today", "expected=timestamp");
    }

    private void rejects(final String property, final Object value, final String text)
    {
        assertThatThrownBy(() -> through(map, property, value)).as(property)
            .isInstanceOf(EventRejectedException.class)
            .hasMessageContaining("property=" + property).hasMessageContaining(text);
    }

    @Test
    void shouldRejectWhatIsNoEvent() throws Exception
    {
        final EventBatch batch = batch(map);
        final EventCodec codec = EventCodec.of(batch.schema());
        assertThatThrownBy(() -> codec.write(null, batch, 0)).isInstanceOf(EventRejectedException.class)
            .hasMessageContaining("actual=null");
        assertThatThrownBy(() -> codec.write(1, batch, 0)).isInstanceOf(EventRejectedException.class)
            .hasMessageContaining("expected=java.util.Map actual=java.lang.Integer");
    }

    @Test
    void shouldMapATupleOfAnotherTypeByName() throws Exception
    {
        final EventType other = EventType.tuple("Other", new EventProperty("L", CqlType.INT),
            new EventProperty("z", CqlType.INT));
        final EventBatch batch = batch(tuple);
        EventCodec.of(batch.schema()).write(new TupleEvent(other, 6, 7), batch, 0);
        assertThat(batch.value(1, 0)).isEqualTo(6L);
        assertThat(batch.value(0, 0)).isNull();
    }

    /** An event class with properties of all types. */
    public static final class Bean
    {
        private int count;
        private Double price;
        private String name = "unset";
        private boolean active;
        private Date at;

        /** Creates an empty event. */
        public Bean()
        {
        }

        /** @return count */
        public int getCount()
        {
            return count;
        }

        /** @param value count */
        public void setCount(final int value)
        {
            if (value < 0)
            {
                throw new IllegalArgumentException("negative");
            }
            count = value;
        }

        /** @return price */
        public Double getPrice()
        {
            return price;
        }

        /** @param value price */
        public void setPrice(final Double value)
        {
            price = value;
        }

        /** @return name */
        public String getName()
        {
            if ("bad".equals(name))
            {
                throw new IllegalStateException("bad name");
            }
            return name;
        }

        /** @param value name */
        public void setName(final String value)
        {
            name = value;
        }

        /** @return active */
        public boolean isActive()
        {
            return active;
        }

        /** @param value active */
        public void setActive(final boolean value)
        {
            active = value;
        }

        /** @return time */
        public Date getAt()
        {
            return at;
        }

        /** @param value time */
        public void setAt(final Date value)
        {
            at = value;
        }
    }

    private final EventType beanType = new EventType("Bean", EventType.Kind.BEAN, List.of(
        new EventProperty("count", CqlType.INT), new EventProperty("price", CqlType.DOUBLE),
        new EventProperty("name", CqlType.CHAR), new EventProperty("active", CqlType.BOOLEAN),
        new EventProperty("at", CqlType.TIMESTAMP)), Bean.class);

    @Test
    void shouldCarryBeansThroughGettersAndSetters() throws Exception
    {
        final EventBatch batch = batch(beanType);
        final EventCodec codec = EventCodec.of(batch.schema());
        assertThat(codec.readProblems()).isEmpty();
        assertThat(codec.writeProblems()).isEmpty();
        final Bean bean = new Bean();
        bean.setCount(3);
        bean.setPrice(1.5);
        bean.setName("n");
        bean.setActive(true);
        bean.setAt(new Date(1234));
        codec.write(bean, batch, 0);
        final Bean read = (Bean)codec.read(batch, 0);
        assertThat(read).usingRecursiveComparison().isEqualTo(bean);
        codec.write(Map.of("price", 2), batch, 1);
        final Bean sparse = (Bean)codec.read(batch, 1);
        assertThat(sparse.getCount()).isZero();
        assertThat(sparse.getPrice()).isEqualTo(2.0);
        assertThat(sparse.getName()).isNull();
    }

    @Test
    void shouldNameTheGetterOrSetterThatFails() throws Exception
    {
        final EventBatch batch = batch(beanType);
        final EventCodec codec = EventCodec.of(batch.schema());
        final Bean bean = new Bean();
        bean.setName("bad");
        assertThatThrownBy(() -> codec.write(bean, batch, 0)).isInstanceOf(EventRejectedException.class)
            .hasMessageContaining("property=name").hasMessageContaining("bad name");
        codec.write(Map.of("count", -1), batch, 0);
        assertThatThrownBy(() -> codec.read(batch, 0)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("property=count").hasMessageContaining("negative");
    }
}
