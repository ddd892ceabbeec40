package dev.millrace.adapter.mqtt.connect;

/** The broker cannot be used at present. The message has a code and the next step. */
public final class MqttException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final MqttErrorCode code;

    /**
     * Creates an exception.
     *
     * @param cause may be {@code null}
     */
    public MqttException(final MqttErrorCode code, final String fact, final String next, final Throwable cause)
    {
        super(code.message(fact, next), cause);
        this.code = code;
    }

    /** The kind of failure. */
    public MqttErrorCode code()
    {
        return code;
    }
}
