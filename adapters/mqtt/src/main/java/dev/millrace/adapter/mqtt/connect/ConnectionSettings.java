package dev.millrace.adapter.mqtt.connect;

/**
 * How an adapter connects. Immutable; {@link #toString} contains no password.
 *
 * @param stageName        application and stage, for messages
 * @param version          3 for MQTT 3.1.1, or 5
 * @param host             of the broker
 * @param port             of the broker
 * @param isTls            whether the connection is encrypted
 * @param clientId         id of the session
 * @param isCleanStart     whether the broker forgets an earlier session of this id
 * @param sessionExpirySec how long the broker keeps the session without a connection, in seconds
 * @param keepAliveSec     after which silence the connection is checked, in seconds; 0 for never
 * @param receiveMaximum   maximum number of messages that the broker sends without an acknowledgement
 * @param user             {@code null} for none
 * @param password         {@code null} for none
 * @param will             message that the broker publishes if the connection breaks; {@code null} for none
 * @param answerMillis     how long a response of the broker may take
 */
public record ConnectionSettings(String stageName, int version, String host, int port, boolean isTls, String clientId,
    boolean isCleanStart, long sessionExpirySec, int keepAliveSec, int receiveMaximum, String user, String password,
    Outgoing will, int answerMillis)
{
    @Override
    public String toString()
    {
        return "url=" + (isTls ? "ssl" : "tcp") + "://" + host + ":" + port + " version=" + version + " clientId=" +
            clientId + (user == null ? "" : " user=" + user);
    }
}
