package dev.millrace.command.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of an input that waits for more. */
@Timeout(60)
class StandardInputTest
{
    @Test
    void shouldEndWhileItIsReadAndLeaveTheThreadUninterrupted() throws Exception
    {
        final Pipe pipe = Pipe.open();
        final StandardInput in = new StandardInput(Channels.newInputStream(pipe.source()));
        pipe.sink().write(ByteBuffer.wrap(new byte[] {'a'}));
        final CountDownLatch hasRead = new CountDownLatch(1);
        final CompletableFuture<String> read = CompletableFuture.supplyAsync(() ->
        {
            try
            {
                final int first = in.read();
                hasRead.countDown();
                return (char)first + " " + in.read() + " " + in.read() + " " + Thread.currentThread().isInterrupted();
            }
            catch (final java.io.IOException e)
            {
                return e.toString();
            }
        });
        assertThat(hasRead.await(60, TimeUnit.SECONDS)).isTrue();

        in.end();

        assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo("a -1 -1 false");
        pipe.sink().close();
    }
}
