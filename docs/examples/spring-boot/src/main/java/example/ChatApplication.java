package example;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.chatflow.chat.ChatFlow;
import dev.chatflow.chat.Listener;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.Room;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A back end that gives its users tokens for the room lobby, and a bot that answers there. */
@SpringBootApplication
public class ChatApplication {

  public static void main(String[] args) {
    SpringApplication.run(ChatApplication.class, args);
  }

  /** Signs tokens with the secret that the ChatFlow server knows. */
  @RestController
  static class Tokens {

    private static final Duration LIFETIME = Duration.ofMinutes(15);

    private final byte[] secret;

    Tokens(@Value("${chat.key}") Path key) throws IOException {
      secret = Files.readString(key).strip().getBytes();
    }

    /** Your application takes the user from its session, never from the request. */
    @GetMapping("/token")
    String token(@RequestParam String user, @RequestParam String name) throws JOSEException {
      JWTClaimsSet claims =
          new JWTClaimsSet.Builder()
              .subject(user)
              .claim("name", name)
              .claim("rooms", List.of("lobby"))
              .expirationTime(Date.from(Instant.now().plus(LIFETIME)))
              .build();
      SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
      token.sign(new MACSigner(secret));
      return token.serialize();
    }
  }

  /** Returns the bot's connection, which renews its token and reconnects until it is closed. */
  @Bean(destroyMethod = "close")
  ChatFlow bot(@Value("${chat.url}") URI server, Tokens tokens) {
    ChatFlow chat =
        ChatFlow.to(server).user("99", "bot").token(() -> botToken(tokens)).build();
    chat.join("lobby", new Greeter());
    return chat;
  }

  private static String botToken(Tokens tokens) {
    try {
      return tokens.token("99", "bot");
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static class Greeter implements Listener {
    @Override
    public void message(Room room, Message message) {
      if (!message.own() && !message.past() && message.text().equals("hello")) {
        room.send("hello " + message.user().name());
      }
    }
  }
}
