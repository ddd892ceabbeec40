package dev.millrace.adapter.mqtt.connect;

import dev.millrace.adapter.common.property.ErrorCode;

/** Error codes of this adapter. The module's README.md describes what to do about each. */
public enum MqttErrorCode implements ErrorCode
{
    /** An instance property is missing or invalid. */
    PROPERTY("MQT-0101"),
    /** The broker is unavailable. */
    AWAY("MQT-0103"),
    /** The broker refuses the user. */
    LOGIN("MQT-0104"),
    /** The broker refuses a subscription or a message. */
    REFUSED("MQT-0105"),
    /** A message is not an event. */
    MESSAGE("MQT-0106"),
    /** The event type of a source is unknown or not that of its channel. */
    TYPE("MQT-0107"),
    /** A source has no listener. */
    NO_LISTENER("MQT-0108"),
    /** The stages below have not stored rows in time. */
    NOT_STORED("MQT-0109"),
    /** Rows cannot be written as messages. */
    EVENTS("MQT-0111"),
    /** Messages may be lost with the process or with the connection. */
    UNSAFE("MQT-0113");

    private final String text;

    MqttErrorCode(final String text)
    {
        this.text = text;
    }

    @Override
    public String text()
    {
        return text;
    }
}
