package dev.millrace.adapter.jms.connect;

import dev.millrace.adapter.common.property.ErrorCode;

/** Error codes of this adapter. The module's README.md describes what to do about each. */
public enum JmsErrorCode implements ErrorCode
{
    /** An instance property is missing or invalid. */
    PROPERTY("JMS-0101"),
    /** A class of the provider is missing, not permitted or of a wrong type. */
    PROVIDER("JMS-0102"),
    /** The broker is unavailable. */
    AWAY("JMS-0103"),
    /** The broker refuses the user. */
    LOGIN("JMS-0104"),
    /** A destination or connection factory does not exist. */
    DESTINATION("JMS-0105"),
    /** A message is not an event. */
    MESSAGE("JMS-0106"),
    /** The event type of a source is unknown or not that of its channel. */
    TYPE("JMS-0107"),
    /** A source has no listener. */
    NO_LISTENER("JMS-0108"),
    /** The stages below have not stored rows in time. */
    NOT_STORED("JMS-0109"),
    /** A property of Oracle Event Processing has no effect. */
    IGNORED("JMS-0110"),
    /** Rows cannot be written as messages. */
    EVENTS("JMS-0111"),
    /** The file with the numbers of messages cannot be used. */
    NUMBERS("JMS-0112"),
    /** Messages may be lost with the process. */
    UNSAFE("JMS-0113"),
    /** A bundle contains a class of a provider that cannot be loaded. */
    UNUSABLE("JMS-0114");

    private final String text;

    JmsErrorCode(final String text)
    {
        this.text = text;
    }

    @Override
    public String text()
    {
        return text;
    }
}
