package @package@;

import static dev.millrace.test.Row.row;

import dev.millrace.test.ApplicationUnderTest;
import dev.millrace.test.MillraceTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs the whole application at virtual time: only advance() lets time pass, and nothing waits. */
@MillraceTest
class LoginsTest
{
    private static void login(final ApplicationUnderTest app, final String account, final String... outcomes)
    {
        for (final String outcome : outcomes)
        {
            app.send("logins", row("account", account, "outcome", outcome));
        }
    }

    @Test
    void shouldReportASuccessAfterThreeFailures(final ApplicationUnderTest app)
    {
        login(app, "ada", "failed", "failed", "failed", "ok");

        app.expect("AttackStream", row("account", "ada", "failures", 3));
    }

    @Test
    void shouldNotMixAccounts(final ApplicationUnderTest app)
    {
        login(app, "ada", "failed", "failed");
        login(app, "bob", "failed", "ok");

        app.expectNone("AttackStream");
    }

    @Test
    void shouldNotReportFailuresThatAreOlderThanAMinute(final ApplicationUnderTest app)
    {
        login(app, "ada", "failed");
        app.advance(Duration.ofSeconds(59));
        login(app, "ada", "failed", "failed");
        app.advance(Duration.ofSeconds(1));
        login(app, "ada", "ok");

        app.expectNone("AttackStream");
    }

    @Test
    void shouldReportAnAccountThatDoesNotTryAgain(final ApplicationUnderTest app)
    {
        login(app, "ada", "failed");
        app.advance(Duration.ofSeconds(3));
        login(app, "bob", "failed");
        app.advance(Duration.ofSeconds(5));
        login(app, "ada", "ok");
        app.advance(Duration.ofSeconds(10));

        app.expect("GivenUpStream", row("account", "bob").at(Duration.ofSeconds(13)));
    }
}
