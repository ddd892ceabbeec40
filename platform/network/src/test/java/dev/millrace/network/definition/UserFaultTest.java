package dev.millrace.network.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UserFaultTest
{
    /** Includes the stack trace of the server, as some database drivers do. */
    private static final class DriverFailure extends Exception
    {
        private static final long serialVersionUID = 1;

        DriverFailure(final String message)
        {
            super(message);
        }

        @Override
        public String toString()
        {
            return super.toString() + "\n\tat org.driver.Server.read(Server.java:1)";
        }
    }

    @Test
    void shouldShowTheTextOfADriverWithoutTheStackThatItCarries()
    {
        final Exception driver =
            new DriverFailure("no table;\n\tat org.driver.Parser.parse(Parser.java:3)\n\t... 5 more");
        final Exception refused = new IllegalStateException("JDB-0105 the table cannot be read", driver);

        assertThat(new UserFault(refused, getClass().getClassLoader()).reason()).startsWith(
            "java.lang.IllegalStateException: JDB-0105 the table cannot be read because " +
            DriverFailure.class.getName() + ": no table; at=" + getClass().getName())
            .doesNotContain("\n", "org.driver");
    }

    @Test
    void shouldLogTwentyFramesAtMost()
    {
        assertThat(new UserFault(deep(50), null).stack().lines().filter(line -> line.startsWith("\tat ")))
            .hasSize(UserFault.LOGGED_FRAMES);
    }

    private static Exception deep(final int depth)
    {
        return depth == 0 ? new IllegalStateException("made by a test") : deep(depth - 1);
    }
}
