package dev.millrace.adapter.jms.inbound;

import jakarta.jms.Session;

/** When the broker learns that messages were received. */
public enum Acknowledgement
{
    /** By the commit of a transaction, after rows were received. */
    TRANSACTED(Session.SESSION_TRANSACTED),
    /** By the acknowledgement of the last message, after rows were received. */
    CLIENT_ACKNOWLEDGE(Session.CLIENT_ACKNOWLEDGE),
    /** By the provider, when it hands a message over: messages are lost with the process. */
    AUTO_ACKNOWLEDGE(Session.AUTO_ACKNOWLEDGE),
    /** By the provider, some time after it has handed a message over. */
    DUPS_OK_ACKNOWLEDGE(Session.DUPS_OK_ACKNOWLEDGE);

    private final int mode;

    Acknowledgement(final int mode)
    {
        this.mode = mode;
    }

    /** The mode of the session. */
    int mode()
    {
        return mode;
    }

    /** Whether rows are received before messages are acknowledged. */
    public boolean isSafe()
    {
        return this == TRANSACTED || this == CLIENT_ACKNOWLEDGE;
    }
}
