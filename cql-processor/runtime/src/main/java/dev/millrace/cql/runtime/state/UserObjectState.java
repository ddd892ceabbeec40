package dev.millrace.cql.runtime.state;

import dev.millrace.api.function.CheckpointedState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;

/** Writes and reads the state of objects of applications, which may throw anything. Stateless. */
public final class UserObjectState
{
    private static final int MOST_BYTES = 1 << 26;

    private UserObjectState()
    {
    }

    /**
     * Writes the state of an object.
     *
     * @param object of an application
     * @param what   its name, for messages: {@code function=name}
     * @throws StateException when its class does not support it, or fails
     */
    public static void write(final Object object, final String what, final StateOutput to)
    {
        if (!(object instanceof final CheckpointedState state))
        {
            throw new StateException("the state of an object of the application cannot be written: let its class " +
                "implement " + CheckpointedState.class.getName() + ", " + what + " class=" +
                object.getClass().getName());
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try
        {
            state.snapshotState(new DataOutputStream(bytes));
        }
        // Users' classes may throw anything.
        catch (final Throwable failure)
        {
            throw failed("snapshotState", object, what, failure);
        }
        if (bytes.size() > MOST_BYTES)
        {
            throw new StateException("an object of the application has too much state, " + what +
                " class=" + object.getClass().getName() + " bytes=" + bytes.size() + " maxBytes=" + MOST_BYTES);
        }
        to.writeCount(bytes.size());
        to.writeBytes(bytes.toByteArray(), 0, bytes.size());
    }

    /**
     * Reads the state of an object that is new.
     *
     * @param object of an application
     * @param what   its name, for messages
     * @throws StateException when its class does not support it, fails, or does not read everything
     */
    public static void read(final Object object, final String what, final StateInput from)
    {
        final byte[] bytes = new byte[from.readSize(1)];
        from.readBytes(bytes, 0, bytes.length);
        final ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        try
        {
            ((CheckpointedState)object).restoreState(new DataInputStream(in));
        }
        // As above.
        catch (final Throwable failure)
        {
            throw failed("restoreState", object, what, failure);
        }
        if (in.available() > 0)
        {
            throw new StateException("an object of the application has left state unread, " + what + " class=" +
                object.getClass().getName() + " bytes=" + in.available());
        }
    }

    private static StateException failed(final String method, final Object object, final String what,
        final Throwable failure)
    {
        return new StateException("an object of the application has failed, method=" + method + ' ' + what + " class=" +
            object.getClass().getName() + " cause=" + failure, failure);
    }
}
