package dev.millrace.assembly.oep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventType.Kind;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.oep.Service;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Beans with annotated setters receive services and event types in the form of the old API. */
@Timeout(60)
class ServiceInjectorTest
{
    private static final EventProperty SYMBOL = new EventProperty("symbol", CqlType.CHAR);
    private static final EventType TUPLE = EventType.tuple("Tick", SYMBOL, new EventProperty("price", CqlType.DOUBLE));
    private static final EventType MAP = new EventType("Row", Kind.MAP, List.of(SYMBOL), null);
    private static final EventType BEAN = new EventType("Order", Kind.BEAN, List.of(SYMBOL), Order.class);
    private static final BiFunction<Class<?>, String, Object> NO_SERVICE = (type, filter) -> null;

    /** An event. */
    public static class Order
    {
        private String symbol;

        public String getSymbol()
        {
            return symbol;
        }

        public void setSymbol(final String value)
        {
            symbol = value;
        }
    }

    /** A bean with two services. */
    public static class Bean
    {
        private dev.millrace.api.oep.EventTypeRepository types;
        private Runnable task;

        @Service
        public void setTypes(final dev.millrace.api.oep.EventTypeRepository value)
        {
            types = value;
        }

        @Service(serviceType = Runnable.class, filter = "(kind=test)")
        public void setTask(final Object value)
        {
            task = (Runnable)value;
        }
    }

    private record Types(EventType... types) implements EventTypeRepository
    {
        @Override
        public EventType eventType(final String name)
        {
            return List.of(types).stream().filter(type -> type.name().equals(name)).findFirst().orElse(null);
        }

        @Override
        public Collection<EventType> eventTypes()
        {
            return List.of(types);
        }
    }

    private static dev.millrace.api.oep.EventTypeRepository repository(final EventType... types)
    {
        return new MigratedTypes(new Types(types));
    }

    @Test
    void shouldSetEventTypesAndServices()
    {
        final Runnable task = () -> { };
        final Bean bean = new Bean();

        new ServiceInjector(new Types(TUPLE), (type, filter) ->
            type == Runnable.class && filter.equals("(kind=test)") ? task : null)
            .postProcessBeforeInitialization(bean, "bean");

        assertThat(bean.task).isSameAs(task);
        assertThat(bean.types.getEventType("Tick").getPropertyNames()).containsExactly("symbol", "price");
        assertThat(bean.types.getEventType("Other")).isNull();
    }

    @Test
    void shouldNameTheSetterWhoseServiceIsMissing()
    {
        assertThatThrownBy(() -> new ServiceInjector(new Types(TUPLE), NO_SERVICE)
            .postProcessBeforeInitialization(new Bean(), "bean")).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("method=setTask service=java.lang.Runnable filter=(kind=test)");
    }

    @Test
    void shouldFindTheTypeOfAnEvent()
    {
        final var types = repository(TUPLE, MAP, BEAN);

        assertThat(types.getEventType(new TupleEvent(TUPLE, "A", 1.0)).getTypeName()).isEqualTo("Tick");
        assertThat(types.getEventType(new Order()).getTypeName()).isEqualTo("Order");
        assertThat(types.getEventType(Map.of("symbol", "A")).getTypeName()).isEqualTo("Row");
        assertThat(types.getEventType(List.of())).isNull();
        final EventType other = new EventType("Other", Kind.MAP, List.of(SYMBOL), null);
        assertThat(repository(MAP, other).getEventType(Map.of("symbol", "A"))).isNull();
    }

    @Test
    void shouldReadAndWriteProperties()
    {
        for (final String name : List.of("Tick", "Row", "Order"))
        {
            final var type = repository(TUPLE, MAP, BEAN).getEventType(name);
            final Object event = type.createEvent();
            type.getProperty("SYMBOL").setValue(event, "A");
            assertThat(type.getProperties()[0].getValue(event)).isEqualTo("A");
            assertThat(event).isInstanceOf(name.equals("Order") ? Order.class : Map.class);
        }
    }

    @Test
    void shouldRefuseValuesThatDoNotFit()
    {
        final var symbol = repository(BEAN).getEventType("Order").getProperty("symbol");
        final TupleEvent tuple = new TupleEvent(TUPLE, "A", 1.0);

        assertThat(symbol.getValue(tuple)).isEqualTo("A");
        assertThatThrownBy(() -> symbol.setValue(tuple, "B")).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("tuples cannot be changed");
        assertThatThrownBy(() -> symbol.getValue("text")).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("type=Order property=symbol class=java.lang.String");
        assertThatThrownBy(() -> symbol.getValue(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> symbol.setValue(new Order(), List.of(1, 2).iterator()))
            .isInstanceOf(IllegalArgumentException.class);
    }
}
