/** The emoji that documentation asks for most, each with the words it is found by. Any other can be typed or pasted. */
export const emojiChoices: readonly { emoji: string; names: string }[] = `
📘 blue book guide
📗 green book
📕 red book
📙 orange book
📚 books library
📖 open book read
📝 memo note write
✏️ pencil edit
📄 page document
📃 page curl
📑 tabs bookmark
🗂️ folders dividers
📁 folder
📂 open folder
🗃️ card file box
📋 clipboard
📌 pin
📎 clip attachment
🔖 bookmark
🏷️ label tag
🚀 rocket start launch
✨ sparkles new
🎉 party release tada
🔥 fire hot
⚡ lightning fast
💡 bulb idea tip
🧭 compass start orientation
🗺️ map
🏁 finish flag
🎯 target goal
🧪 test tube experiment
🔬 microscope research
🧩 puzzle plugin integration
🔌 plug connect
🧰 toolbox
🔧 wrench fix
🔨 hammer build
⚙️ gear settings
🛠️ tools maintain
🪛 screwdriver
📦 package install
🏗️ construction
🧱 brick
🖥️ desktop computer
💻 laptop
📱 phone mobile
⌨️ keyboard
🖨️ printer
💾 disk save
🗄️ cabinet archive
🌐 globe web site
☁️ cloud
🐳 whale docker
🐧 penguin linux
🍎 apple mac
🤖 robot
🔒 lock security
🔓 unlock
🔑 key
🛡️ shield protect
🚨 alarm alert
⚠️ warning
❗ exclamation important
❓ question faq
ℹ️ info
✅ check done
❌ cross no
🚫 forbidden
♻️ recycle
🔁 repeat sync
🔍 search
🔎 find
📈 chart up growth
📉 chart down
📊 bars statistics
💰 money price
💳 card payment
🧾 receipt invoice
🛒 cart shop
📅 calendar date
⏰ clock alarm
⏱️ stopwatch time
⌛ hourglass
📣 megaphone announce
📢 loudspeaker
💬 speech chat comment
🗨️ bubble
📧 email
📨 inbox
📞 telephone support
👋 wave hello welcome
👍 thumbs up
👏 clap
🙏 thanks
🤝 handshake
👥 people team
👤 person user
🧑‍💻 developer
👩‍🏫 teacher
🧑‍🎨 designer
🏢 office company
🏠 house home
🏫 school
🏥 hospital
🏭 factory
🎓 graduate learn
🎨 palette design
🎬 film video
🎵 music
📷 camera picture
🖼️ frame image
🎮 game
🏆 trophy
🥇 medal
⭐ star
🌟 glow star
❤️ heart
💙 blue heart
💚 green heart
💛 yellow heart
💜 purple heart
🌱 seedling start
🌳 tree
🌍 earth
🌞 sun
🌙 moon
⛅ weather
🌈 rainbow
🍀 luck
🐛 bug
🐞 ladybug
🐍 snake python
🦀 crab rust
🐘 elephant postgres
🐹 gopher hamster
🦊 fox
🐙 octopus
🦉 owl
☕ coffee java
🍕 pizza
🍰 cake
🍋 lemon
🧂 salt
🚗 car
🚲 bicycle
✈️ airplane travel
🚢 ship
🛰️ satellite
🧵 thread
🎁 gift
🔔 bell
🧠 brain
👀 eyes look
🦾 strong arm
🪄 magic wand
🧊 ice
🪵 wood log
📜 scroll law policy
⚖️ scales legal
🗳️ vote
🇩🇪 germany
🇬🇧 britain
🇺🇸 usa
🇫🇷 france
🇪🇸 spain
🇯🇵 japan
🇪🇺 europe
`
  .trim()
  .split('\n')
  .map((line) => {
    const [emoji = '', ...names] = line.split(' ')
    return { emoji, names: names.join(' ') }
  })
