package dev.chatflow.delivery;

import dev.chatflow.log.ReaderMeter;
import dev.chatflow.presence.PresenceMeter;

/**
 * Counts the events between shard logs and rooms. Called by readers' threads; no call parks its
 * caller.
 */
public interface DeliveryMeter extends ReaderMeter, RoomMeter, PresenceMeter {}
