package dev.millrace.api.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoginThrottleTest
{
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(60);

    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
    private final LoginThrottle throttle = new LoginThrottle(nowNs::get);

    private void fail(final String user, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            throttle.failed(user);
        }
    }

    @Test
    void shouldLetUserWaitAfterFiveFailuresUntilAMinuteAfterTheFirst()
    {
        fail("ada", 1);
        nowNs.addAndGet(PERIOD_NS / 2);
        fail("ada", 3);
        assertThat(throttle.mayTry("ada")).isTrue();
        assertThat(throttle.failed("ada")).isTrue();
        assertThat(throttle.failed("ada")).isFalse();

        assertThat(throttle.mayTry("ada")).isFalse();
        assertThat(throttle.mayTry("bob")).isTrue();
        nowNs.addAndGet(PERIOD_NS / 2 - 1);
        assertThat(throttle.mayTry("ada")).isFalse();
        nowNs.incrementAndGet();
        assertThat(throttle.mayTry("ada")).isTrue();
        fail("ada", 4);
        assertThat(throttle.mayTry("ada")).isTrue();
    }

    @Test
    void shouldCountFailuresOfALimitedNumberOfUsersAtATime()
    {
        for (int i = 0; i < 10_000; i++)
        {
            throttle.failed("user" + i);
        }
        fail("ada", 5);
        assertThat(throttle.mayTry("ada")).isTrue();
        fail("user7", 4);
        assertThat(throttle.mayTry("user7")).isFalse();

        nowNs.addAndGet(PERIOD_NS);
        fail("ada", 5);
        assertThat(throttle.mayTry("ada")).isFalse();
    }
}
