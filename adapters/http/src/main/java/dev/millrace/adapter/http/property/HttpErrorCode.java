package dev.millrace.adapter.http.property;

import dev.millrace.adapter.common.property.ErrorCode;

/** Error codes of this adapter. The module's pages describe what to do about each. */
public enum HttpErrorCode implements ErrorCode
{
    /** An instance property is missing or out of range. */
    PROPERTY("HTP-0101"),
    /** There is no server for events. */
    NO_SERVER("HTP-0102"),
    /** A port cannot be opened. */
    PORT("HTP-0103"),
    /** A path is in use. */
    PATH("HTP-0104"),
    /** The event type of a source is unknown or not that of its channel. */
    TYPE("HTP-0105"),
    /** A source has no listener. */
    NO_LISTENER("HTP-0106"),
    /** Other hosts could send without authentication. */
    NO_AUTHENTICATION("HTP-0107"),
    /** A secret does not exist, or is too short. */
    SECRET("HTP-0108"),
    /** Numbers of rows cannot be assigned. */
    NUMBERS("HTP-0109"),
    /** Events do not have the columns of the bodies. */
    EVENTS("HTP-0110"),
    /** The receiver is unavailable or does not accept requests: rows wait. */
    AWAY("HTP-0111"),
    /** The receiver refuses a row. */
    REFUSED("HTP-0112"),
    /** The application ends before rows are delivered. */
    NOT_DELIVERED("HTP-0113"),
    /** The numbers of confirmed rows cannot be read or written. */
    CONFIRMED("HTP-0114"),
    /** A row has a text that XML cannot contain. */
    NOT_WRITABLE("HTP-0115"),

    /** The request is not valid HTTP. */
    BAD_REQUEST("HTP-0200"),
    /** The request comes from a web page, or its Host is not that of the port. */
    WRONG_ORIGIN("HTP-0201"),
    /** Credentials are missing or wrong. */
    UNAUTHORIZED("HTP-0202"),
    /** No application uses the path. */
    NO_PATH("HTP-0203"),
    /** The path has another method. */
    METHOD("HTP-0204"),
    /** The media type, charset or encoding is not supported. */
    MEDIA_TYPE("HTP-0205"),
    /** The body is too large. */
    TOO_LARGE("HTP-0206"),
    /** The body did not arrive in time. */
    TOO_SLOW("HTP-0207"),
    /** The compressed body is damaged. */
    DAMAGED_BODY("HTP-0208"),
    /** The rows wait for too long, or too many bodies wait. */
    BUSY("HTP-0209"),
    /** The application is suspended or stops. */
    SUSPENDED("HTP-0210"),
    /** The rows were sent, but it is not known whether they were stored. */
    NOT_CONFIRMED("HTP-0211"),
    /** The key of a request is invalid. */
    WRONG_KEY("HTP-0212"),
    /** There are too many producers. */
    TOO_MANY_PRODUCERS("HTP-0213"),
    /** A row is wrong. */
    BAD_ROW("HTP-0214"),
    /** The body contains no row. */
    NO_ROWS("HTP-0215"),
    /** A body is no XML, or contains no event where one is expected. */
    BROKEN_XML("HTP-0216"),
    /** Too many wrong passwords of a user came from an address. */
    TOO_MANY_LOGINS("HTP-0217"),

    /** There is no such server of channels. */
    NO_CHANNEL_SERVER("HTP-0301"),
    /** The server of channels does not respond: it is tried again. */
    CHANNELS_AWAY("HTP-0302"),
    /** The server of channels refuses a subscription or a message. */
    CHANNEL_REFUSED("HTP-0303"),
    /** A row cannot be written as a message. */
    NO_MESSAGE("HTP-0304"),
    /** The channel does not exist for clients. */
    NO_CHANNEL("HTP-0305"),
    /** The role may not use the channel. */
    CHANNEL_FORBIDDEN("HTP-0306"),
    /** There are too many clients. */
    TOO_MANY_CLIENTS("HTP-0307"),
    /** The server of channels does not offer the transport. */
    NO_TRANSPORT("HTP-0308"),
    /** A message of a client is no JSON. */
    BAD_MESSAGE("HTP-0309");

    private final String text;

    HttpErrorCode(final String text)
    {
        this.text = text;
    }

    @Override
    public String text()
    {
        return text;
    }
}
