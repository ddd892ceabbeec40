package dev.millrace.test;

import static dev.millrace.test.Row.row;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of docs/testing-applications.md, which TestingPageTest runs. */
class OrdersExample
{
    @RegisterExtension
    final ApplicationUnderTest app = ApplicationUnderTest.of("META-INF/spring/orders.context.xml")
        .configuration("META-INF/wlevs/orders.xml");

    @Test
    void shouldReportOrdersAboveTheLimit()
    {
        app.send("orders", row("id", 1, "customer", "ada", "price", 2.5),
            row("id", 2, "customer", "bob", "price", 250));
        app.advance(Duration.ofSeconds(1));
        app.send("orders", row("id", 3, "customer", "ada", "price", 300));

        app.expect("bigOrders", row("id", 2), row("id", 4));
    }
}
