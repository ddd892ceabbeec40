package dev.millrace.test;

import static dev.millrace.test.Row.row;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The annotation starts an application for each test. */
@Timeout(60)
@MillraceTest(value = "META-INF/spring/orders.context.xml", configuration = "META-INF/wlevs/orders.xml")
class MillraceTestTest
{
    private static final EventType ORDER = EventType.tuple("Order", new EventProperty("id", CqlType.INT),
        new EventProperty("customer", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));

    @BeforeEach
    void send(final ApplicationUnderTest app)
    {
        app.send("orders", Map.of("id", 1, "customer", "ada", "price", 101));
    }

    @Test
    void shouldAcceptMapsAndTuples(final ApplicationUnderTest app)
    {
        app.send("orders", new TupleEvent(ORDER, 2, "bob", 102.0));

        app.expectInAnyOrder("bigOrders", row("id", 2), row("id", 1));
    }

    @Test
    void shouldStartANewApplicationForEachTest(final ApplicationUnderTest app)
    {
        app.expect("bigOrders", row("id", 1, "customer", "ada", "price", 101));
    }
}
