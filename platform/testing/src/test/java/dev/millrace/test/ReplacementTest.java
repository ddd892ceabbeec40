package dev.millrace.test;

import static dev.millrace.test.Row.row;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import java.time.Duration;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

/** Services, adapters and placeholders that a test replaces; application time; caches. */
@Timeout(60)
class ReplacementTest
{
    private final ApplicationUnderTest app = ApplicationUnderTest.of("META-INF/spring/quotes.context.xml")
        .configuration("META-INF/wlevs/quotes.xml").property("quotes.symbol", "IBM");

    @AfterEach
    void stop()
    {
        app.stop(true);
    }

    private void start() throws Exception
    {
        app.bean("limits", () -> (DoublePredicate)price -> price < 100).start(getClass());
    }

    @Test
    void shouldJoinCachesThatTheTestFills() throws Exception
    {
        app.replace("source");
        start();
        app.cache("listings").put("SAP", Map.of("symbol", "SAP", "name", "SAP SE"));

        app.send("quotes", row("at", Duration.ofSeconds(1), "symbol", "SAP", "price", 10),
            row("at", Duration.ofSeconds(2), "symbol", "IBM", "price", 20));

        app.expect("named", row("name", "SAP SE", "price", 10).at(Duration.ofSeconds(1)));
    }

    @Test
    void shouldAdvanceApplicationTimeByHeartbeats() throws Exception
    {
        app.replace("source");
        start();

        app.send("quotes", row("at", Duration.ofMillis(500), "price", 0.1),
            row("at", Duration.ofMillis(600), "price", 0.2));
        app.expect("sums", row("total", null));
        app.heartbeat("quotes", Duration.ofMillis(1_500));

        app.expect("sums", row("total", 0.3).at(Duration.ofSeconds(1)));
    }

    @Test
    void shouldRunAdaptersThatNameAClassOnTheirThreads() throws Exception
    {
        start();

        app.await("quotes", 1, Duration.ofSeconds(60));

        app.expect("quotes", row("at", 1, "symbol", "IBM"));
        assertThatThrownBy(() -> app.await("quotes", 1, Duration.ofMillis(1)))
            .isInstanceOf(AssertionFailedError.class).hasMessageContaining("0 received");
    }

    @Test
    void shouldFailTestsWhoseRowsWereRejected() throws Exception
    {
        app.replace("source");
        start();
        app.cache("listings").put("SAP", Map.of("symbol", "SAP", "name", "SAP SE"));
        app.send("quotes", row("at", 1, "symbol", "SAP", "price", 200), row("at", 2, "symbol", "SAP", "price", 99));

        assertThatThrownBy(() -> app.stop(false)).isInstanceOf(AssertionFailedError.class)
            .hasMessageContaining("check rejected 1 rows, expected 0")
            .hasMessageContaining("the price exceeds its limit");
    }

    @Test
    void shouldNameServicesAndPlaceholdersThatTheTestLacks()
    {
        assertThatThrownBy(() -> app.start(getClass())).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("META-INF/spring/quotes.context.xml")
            .hasMessageContaining("only a server provides this object, id=limits");
        final ApplicationUnderTest other = ApplicationUnderTest.of("META-INF/spring/quotes.context.xml")
            .configuration("META-INF/wlevs/quotes.xml").bean("limits", () -> (DoublePredicate)price -> true);
        assertThatThrownBy(() -> other.start(getClass())).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("quotes.symbol");
    }

    @Test
    void shouldRefuseWhatTheApplicationDoesNotHave()
    {
        assertThatThrownBy(() -> ApplicationUnderTest.of("META-INF/spring/none.xml").start(getClass()))
            .hasMessageContaining("file=META-INF/spring/none.xml");
        assertThatThrownBy(() -> app.bean("limit", Object::new).start(getClass()))
            .hasMessageContaining("id=limit;").hasMessageContaining("limits");
        assertThatThrownBy(() -> app.send("quotes")).hasMessageContaining("@RegisterExtension");
    }
}
