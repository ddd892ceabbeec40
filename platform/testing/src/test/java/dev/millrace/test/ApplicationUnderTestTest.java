package dev.millrace.test;

import static dev.millrace.test.Row.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opentest4j.AssertionFailedError;

/** An application with rules, a bean, and adapters of providers. */
@Timeout(60)
class ApplicationUnderTestTest
{
    @RegisterExtension
    final ApplicationUnderTest app = ApplicationUnderTest.of("META-INF/spring/orders.context.xml")
        .configuration("META-INF/wlevs/orders.xml");

    @Test
    void shouldSendInPlaceOfAnAdapterAndExpectRowsOfAChannel()
    {
        app.send("orderQueue", row("id", 1, "customer", "ada", "price", 2.5));
        app.send("orders", row("id", 2, "customer", "bob", "price", 250));

        app.expect("bigOrders", row("id", 2, "price", 250.0).at(Duration.ZERO));
        app.expectNone("bigOrders");
    }

    @Test
    void shouldRunBeansAndPassTheirEventsToReplacedAdapters()
    {
        app.send("orders", row("id", 7, "customer", "ada", "price", 101));

        assertThat(app.bean("alerts", AlertBean.class).alerts()).isEqualTo(1);
        final Alert alert = new Alert();
        alert.setOrder(7);
        alert.setText("big order of ada");
        app.expect("alertChannel", alert);
        assertThat(app.rows("output")).hasSize(2).extracting(row -> row.values().keySet().iterator().next())
            .containsExactlyInAnyOrder("id", "order");
    }

    @Test
    void shouldExpireWindowsWhenTheClockAdvances()
    {
        app.send("orders", row("id", 1, "customer", "ada", "price", 1), row("id", 2, "customer", "ada", "price", 2));
        app.expect("counts", row("customer", "ada", "orders", 1),
            row("customer", "ada", "orders", 1).deleted(), row("customer", "ada", "orders", 2));
        app.advance(Duration.ofSeconds(9));
        app.expectNone("counts");
        app.advance(Duration.ofSeconds(2));

        assertThat(app.rows("counts")).isNotEmpty().allMatch(row -> row.timeNs() / 1_000_000 == 10_000);
        assertThat(app.rows("counts")).filteredOn(row -> !row.isDeleted()).extracting(ReceivedRow::values)
            .doesNotContain(Map.of("customer", "ada", "orders", 2L));
    }

    @Test
    void shouldShowExpectedAndReceivedRowsInATable()
    {
        app.send("orders", row("id", 1, "customer", "ada", "price", 200));
        app.advance(Duration.ofMillis(1_500));
        app.send("orders", row("id", 2, "customer", "bob", "price", 300.5));

        assertThatThrownBy(() -> app.expect("bigOrders",
            row("id", 1, "price", 200), row("id", 3, "price", 300.5).at(Duration.ofSeconds(1))))
            .isInstanceOf(AssertionFailedError.class).hasMessage("""
                bigOrders: 2 rows expected, 2 received
                                time   id  customer  price
                  =             0 s    1   ada       200.0
                  missing       1 s    3             300.5
                  not expected  1.5 s  2   bob       300.5
                """);
    }

    @Test
    void shouldRefuseRowsAndNamesThatDoNotFit()
    {
        assertThatThrownBy(() -> app.send("orders", row("idd", 1)))
            .hasMessageContaining("property=idd").hasMessageContaining("[id, customer, price]");
        assertThatThrownBy(() -> app.send("orders", row("id", "one")))
            .hasMessageContaining("the row does not fit").hasMessageContaining("id");
        assertThatThrownBy(() -> app.send("bigOrders", row("id", 1)))
            .hasMessageContaining("no adapter feeds the channel").hasMessageContaining("input(\"bigOrders\")");
        assertThatThrownBy(() -> app.send("order", row("id", 1)))
            .hasMessageContaining("inputs are [orderQueue]");
        assertThatThrownBy(() -> app.expect("rules", row("id", 1)))
            .hasMessageContaining("outputs are [alertChannel, bigOrders, counts, orders, output]");
        assertThatThrownBy(() -> app.expect("bigOrders", row("cost", 1))).hasMessageContaining("property=cost");
    }

    @Test
    void shouldAcceptRejectedRowsThatAreAnnounced()
    {
        app.send("orders", row("id", -1, "customer", "ada", "price", 200));

        assertThatThrownBy(() -> app.expectRejected("rules", 1)).hasMessageContaining("it has rejected 0");
        app.expectRejected("alerts", 1);
    }
}
